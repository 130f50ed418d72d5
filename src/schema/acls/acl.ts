import { Invalid, NotFound } from '../../errors.ts';
import { Acl, builder, Document, User } from '../../graphql/builder.ts';
import { notGrantedOn, redactUnreadable } from '../../loaders/acls/access.ts';
import { aclsWithInherited } from '../../loaders/acls/acls.ts';
import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { type Ace as AceShape, aceId, aceStatus, acesOfId, isGuest, shownName } from '../../security/acl.ts';
import { addAce, removePermission, replacePermission, setAcl } from '../../store/acls/permissions.ts';
import { Authority, type AuthorityShape } from '../authorities/authority.ts';
import { preconditionArguments } from '../documents/precondition-arguments.ts';

/** §2.5: an entry of an ACL. */
export const AclEntry = builder.objectRef<AceShape>('Ace').implement({
  description: 'Grants or denies a permission to a user or a group.',
  fields: (t) => ({
    id: t.string({ resolve: aceId }),
    username: t.string({
      description: 'A user, a group, Everyone, or the e-mail address of a guest.',
      resolve: ({ username }) => shownName(username),
    }),
    externalUser: t.boolean({
      description: 'Whether the user is a guest, invited by e-mail.',
      resolve: ({ username }) => isGuest(username),
    }),
    permission: t.exposeString('permission'),
    granted: t.exposeBoolean('granted'),
    creator: t.exposeString('creator', { nullable: true }),
    begin: t.exposeString('begin', { nullable: true }),
    end: t.exposeString('end', { nullable: true }),
    status: t.string({
      description: 'pending, effective or archived, depending on begin and end.',
      resolve: (ace, _, { load }) => aceStatus(ace, load.access.now),
    }),
    notify: t.boolean({
      description: 'Whether the user is notified when the entry becomes effective.',
      resolve: ({ notify }) => notify ?? false,
    }),
    comment: t.string({ nullable: true, resolve: ({ comment }) => comment ?? null }),
    who: t.field({
      type: Authority,
      nullable: true,
      description: 'The user or group that username identifies.',
      resolve: ({ username }, _, context) => whoIs(username, context),
    }),
    madeBy: t.field({
      type: User,
      nullable: true,
      description: 'The user that creator identifies.',
      resolve: ({ creator }, _, { load }) => (creator === null ? null : load.userById.load(creator)),
    }),
  }),
});

async function whoIs(id: string, { load }: Context): Promise<AuthorityShape | null> {
  const [user, group] = await Promise.all([load.userById.load(id), load.groupById.load(id)]);
  return user ? { user } : group && { group };
}

Acl.implement({
  description: 'A list of ACEs. The first ACE that matches decides.',
  fields: (t) => ({
    name: t.exposeString('name'),
    aces: t.expose('aces', { type: [AclEntry] }),
  }),
});

/**
 * The ACLs of a document, including inherited ones.
 * @throws Forbidden if the caller does not have ReadSecurity permission
 */
async function shownAcls(row: DocumentRow, { load, user }: Context) {
  if (!(await load.access.may(row, 'ReadSecurity')))
    throw await notGrantedOn({ user }, load.access, 'ReadSecurity', row);
  return aclsWithInherited(load, row);
}

builder.objectFields(Document, (t) => ({
  acls: t.field({
    type: [Acl],
    description: 'The ACLs, in the order of evaluation; requires ReadSecurity.',
    resolve: (row, _, context) => shownAcls(row, context),
  }),
  ace: t.field({
    type: AclEntry,
    nullable: true,
    description: 'An ACE of the document, possibly inherited; requires ReadSecurity.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (row, { id }, context) => {
      const aces = (await shownAcls(row, context)).flatMap((acl) => acl.aces);
      const [ace] = acesOfId(aces, id);
      if (!ace) throw new NotFound(`There is no permission ${id.slice(0, 200)} on ${row.path}.`);
      return ace;
    },
  }),
}));

const NewAce = builder.inputType('NewAce', {
  fields: (t) => ({
    username: t.string({
      required: true,
      description:
        'A user, a group, Everyone, or the e-mail address of a guest. For a guest, `end` is required.',
    }),
    permission: t.string({ required: true }),
    granted: t.boolean({ description: 'Whether the permission is granted (true) or denied (false).' }),
    begin: t.string({ description: 'A W3C date-time.' }),
    end: t.string({ description: 'A W3C date-time.' }),
    notify: t.boolean(),
    comment: t.string(),
  }),
});

const addressed = builder.args((t) => ({
  id: t.id(),
  path: t.string(),
  acl: t.string({ defaultValue: 'local', description: 'The name of the ACL.' }),
}));

const seen = async (context: Context, row: Promise<DocumentRow>): Promise<DocumentRow> =>
  redactUnreadable(context.load.access, await row);

builder.mutationFields((t) => ({
  replaceAce: t.field({
    type: Document,
    description: 'Replaces an ACE. Fails with NOT_FOUND if there is no ACE with this id.',
    args: {
      ...addressed,
      ace: t.arg.id({ required: true, description: 'The id of the ACE to replace.' }),
      by: t.arg({ type: NewAce, required: true }),
    },
    resolve: (_, { id, path, acl, ace, by }, context) =>
      seen(context, replacePermission(context, { id, path }, { acl, ...by, id: ace })),
  }),
  removeAce: t.field({
    type: Document,
    description: 'Removes all ACEs of a user, a group or a guest, or a single ACE.',
    args: {
      ...addressed,
      ...preconditionArguments,
      user: t.arg.string({ description: 'The name of a user or a group, or the e-mail address of a guest.' }),
      ace: t.arg.id({ description: 'The id of the ACE.' }),
    },
    resolve: (_, { id, path, acl, user, ace, ifMatch, ifNoneMatch }, context) => {
      if (!user && !ace) throw new Invalid("'ace' or 'user' must be set");
      const conditions = { ifMatch, ifNoneMatch };
      return seen(context, removePermission(context, { id, path }, { acl, user, id: ace }, conditions));
    },
  }),
  addAce: t.field({
    type: Document,
    args: {
      ...addressed,
      ace: t.arg({ type: NewAce, required: true }),
      overwrite: t.arg.boolean({ description: 'Whether the ACE replaces all other ACEs of its ACL.' }),
    },
    resolve: async (_, { id, path, acl, ace, overwrite }, context) => {
      const { document } = await addAce(context, { id, path }, { acl, ...ace, overwrite });
      return redactUnreadable(context.load.access, document);
    },
  }),
  createAce: t.field({
    type: AclEntry,
    description: 'Adds an ACE, unless an equal one exists, and returns it.',
    args: { ...addressed, ...preconditionArguments, ace: t.arg({ type: NewAce, required: true }) },
    resolve: async (_, { id, path, acl, ace, ifMatch, ifNoneMatch }, context) =>
      (await addAce(context, { id, path }, { acl, ...ace }, { ifMatch, ifNoneMatch })).ace,
  }),
  setAcl: t.field({
    type: Document,
    description: 'Replaces all ACEs of an ACL.',
    args: { ...addressed, aces: t.arg({ type: [NewAce], required: true }) },
    resolve: (_, { id, path, acl, aces }, context) =>
      seen(context, setAcl(context, { id, path }, { acl, aces })),
  }),
}));
