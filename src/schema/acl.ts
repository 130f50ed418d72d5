import type { Context } from '../context.ts';
import { asSeen, notGranted } from '../loaders/access.ts';
import { aclsOf } from '../loaders/acls.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { type Ace as AceShape, aceId, aceStatus, guests } from '../security/acl.ts';
import {
  addAce,
  addPermission,
  blockInheritance,
  removeAcl,
  removePermission,
  replacePermission,
  setAcl,
  unblockInheritance,
} from '../store/permissions.ts';
import { Authority, type AuthorityShape } from './authority.ts';
import { Acl, builder, Document, User } from './builder.ts';

/** §2.5 */
const Ace = builder.objectRef<AceShape>('Ace').implement({
  description: 'Grants or denies a permission to a user or a group.',
  fields: (t) => ({
    id: t.string({ resolve: aceId }),
    username: t.exposeString('username', { description: 'A user, a group, or Everyone.' }),
    externalUser: t.boolean({
      description: 'Whether it is a guest, invited by e-mail.',
      resolve: ({ username }) => username.startsWith(guests),
    }),
    permission: t.exposeString('permission'),
    granted: t.exposeBoolean('granted'),
    creator: t.exposeString('creator', { nullable: true }),
    begin: t.exposeString('begin', { nullable: true }),
    end: t.exposeString('end', { nullable: true }),
    status: t.string({
      description: 'pending, effective or archived: by the clock.',
      resolve: (ace, _, { load }) => aceStatus(ace, load.access.now),
    }),
    notify: t.boolean({
      description: 'Whether the user is told once it becomes effective.',
      resolve: ({ notify }) => notify ?? false,
    }),
    comment: t.string({ nullable: true, resolve: ({ comment }) => comment ?? null }),
    who: t.field({
      type: Authority,
      nullable: true,
      description: 'The user or the group that username names.',
      resolve: ({ username }, _, context) => whoIs(username, context),
    }),
    madeBy: t.field({
      type: User,
      nullable: true,
      description: 'The user that creator names.',
      resolve: ({ creator }, _, { load }) => (creator === null ? null : load.userById.load(creator)),
    }),
  }),
});

/** Whoever rights are given to: the user of that id, else the group; null when there is neither. */
async function whoIs(id: string, { load }: Context): Promise<AuthorityShape | null> {
  const [user, group] = await Promise.all([load.userById.load(id), load.groupById.load(id)]);
  return user ? { user } : group && { group };
}

Acl.implement({
  description: 'ACEs, of which the first that fits decides.',
  fields: (t) => ({
    name: t.exposeString('name'),
    aces: t.field({ type: [Ace], resolve: ({ aces }) => [...aces] }),
  }),
});

builder.objectField(Document, 'acls', (t) =>
  t.field({
    type: [Acl],
    description: 'In the order in which they count; needs ReadSecurity.',
    resolve: async (row, _, { load, user }) => {
      if (!(await load.access.may(row.aclId, 'ReadSecurity'))) throw notGranted({ user }, 'ReadSecurity');
      return aclsOf(load, row);
    },
  }),
);

const NewAce = builder.inputType('NewAce', {
  fields: (t) => ({
    username: t.string({ required: true, description: 'A user, a group, or Everyone.' }),
    permission: t.string({ required: true }),
    granted: t.boolean({ description: 'false denies.' }),
    begin: t.string({ description: 'A W3C date-time.' }),
    end: t.string({ description: 'A W3C date-time.' }),
    notify: t.boolean(),
    comment: t.string(),
  }),
});

const NewPermission = builder.inputType('NewPermission', {
  fields: (t) => ({
    users: t.stringList({ description: 'Users and groups.' }),
    email: t.string({ description: 'Of a guest, when no users are given; then end must be, too.' }),
    permission: t.string({ required: true }),
    begin: t.string({ description: 'A W3C date-time.' }),
    end: t.string({ description: 'A W3C date-time.' }),
    notify: t.boolean(),
    comment: t.string(),
    blockInheritance: t.boolean({ description: 'Whether inheritance is blocked first.' }),
  }),
});

/** The document whose ACLs are changed, and which of them. */
const addressed = builder.args((t) => ({
  id: t.id(),
  path: t.string(),
  acl: t.string({ defaultValue: 'local', description: 'The name of the ACL.' }),
}));

/** Answers a mutation with the document, as far as the caller may see it. */
const seen = async (context: Context, row: Promise<DocumentRow>): Promise<DocumentRow> =>
  asSeen(context.load.access, await row);

builder.mutationFields((t) => ({
  addPermission: t.field({
    type: Document,
    description: 'Grants a permission; what is granted already is not granted again.',
    args: { ...addressed, permission: t.arg({ type: NewPermission, required: true }) },
    resolve: (_, { id, path, acl, permission }, context) =>
      seen(context, addPermission(context, { id, path }, { acl, ...permission })),
  }),
  replacePermission: t.field({
    type: Document,
    description: 'Puts an ACE in the place of another; an id that no ACE has changes nothing.',
    args: {
      ...addressed,
      ace: t.arg.id({ required: true, description: 'The id of the ACE that goes.' }),
      by: t.arg({ type: NewAce, required: true }),
    },
    resolve: (_, { id, path, acl, ace, by }, context) =>
      seen(context, replacePermission(context, { id, path }, { acl, ...by, id: ace })),
  }),
  removePermission: t.field({
    type: Document,
    description: 'Takes away all ACEs of a user or group, or else one ACE.',
    args: { ...addressed, user: t.arg.string(), ace: t.arg.id({ description: 'The id of the ACE.' }) },
    resolve: (_, { id, path, acl, user, ace }, context) =>
      seen(context, removePermission(context, { id, path }, { acl, user, id: ace })),
  }),
  blockInheritance: t.field({
    type: Document,
    description: 'Nothing of the ancestors counts any more; the caller and administrators keep everything.',
    args: addressed,
    resolve: (_, { id, path, acl }, context) =>
      seen(context, blockInheritance(context, { id, path }, { acl })),
  }),
  unblockInheritance: t.field({
    type: Document,
    args: addressed,
    resolve: (_, { id, path, acl }, context) =>
      seen(context, unblockInheritance(context, { id, path }, { acl })),
  }),
  addAce: t.field({
    type: Document,
    args: {
      ...addressed,
      ace: t.arg({ type: NewAce, required: true }),
      overwrite: t.arg.boolean({ description: 'Whether it becomes the only one of its ACL.' }),
    },
    resolve: (_, { id, path, acl, ace, overwrite }, context) =>
      seen(context, addAce(context, { id, path }, { acl, ...ace, overwrite })),
  }),
  setAcl: t.field({
    type: Document,
    description: 'Puts these ACEs in the place of all that an ACL has.',
    args: { ...addressed, aces: t.arg({ type: [NewAce], required: true }) },
    resolve: (_, { id, path, acl, aces }, context) =>
      seen(context, setAcl(context, { id, path }, { acl, aces })),
  }),
  removeAcl: t.field({
    type: Document,
    args: addressed,
    resolve: (_, { id, path, acl }, context) => seen(context, removeAcl(context, { id, path }, { acl })),
  }),
}));
