import { NotFound } from '../../errors.ts';
import { builder, Document } from '../../graphql/builder.ts';
import { notGrantedOn } from '../../loaders/acls/access.ts';
import { type Decided, decidedPermissions } from '../../loaders/acls/decided.ts';
import { groupsOfUser } from '../../loaders/authorities/authorities.ts';
import type { Context } from '../../loaders/context.ts';
import { loadReadable } from '../../loaders/documents/documents.ts';
import { principals } from '../../security/principal.ts';
import { AclEntry } from './acl.ts';

const DecidedPermission = builder.objectRef<Decided>('DecidedPermission').implement({
  description: 'Whether a user has a permission on a document, and why (§2.5).',
  fields: (t) => ({
    permission: t.exposeString('permission'),
    granted: t.exposeBoolean('granted'),
    reason: t.exposeString('reason', {
      description:
        'administrator: administrators have all permissions; ace: an ACE decides; lock: another user has locked the document; nothing: no ACE applies.',
    }),
    ace: t.field({
      type: AclEntry,
      nullable: true,
      description:
        'The first ACE that applies to the user and includes the permission. Administrators do not need one.',
      resolve: ({ ace }) => ace ?? null,
    }),
    place: t.field({
      type: Document,
      nullable: true,
      description: 'The document that contains the ACE, if the caller can read it.',
      resolve: async ({ at }, _, { load }) =>
        at === undefined ? null : ((await loadReadable(load.documentById, [at]))[0] ?? null),
    }),
  }),
});

/**
 * Returns the user whose permissions are to be determined, including all groups of the user.
 * @throws NotFound
 */
async function principalOf(context: Context, id: string) {
  const { load, user, services } = context;
  if (id === user.id) return user;
  if (!(await load.userById.load(id))) throw new NotFound(`user does not exist: ${id}`);
  const groups = (await groupsOfUser(load, id)).map(({ id: group }) => group);
  return principals(services.config.ADMIN_USERNAME)({ id, groups });
}

builder.objectField(Document, 'decidedPermissions', (t) =>
  t.field({
    type: [DecidedPermission],
    nullable: true,
    description: 'The permissions of a user, by default the caller. For other users, requires ReadSecurity.',
    args: { user: t.arg.id() },
    complexity: { multiplier: 40 },
    resolve: async (row, { user: id }, context) => {
      const { load, user } = context;
      if (id && id !== user.id && !(await load.access.may(row, 'ReadSecurity')))
        throw await notGrantedOn({ user }, load.access, 'ReadSecurity', row);
      return decidedPermissions(context, row, await principalOf(context, id ?? user.id));
    },
  }),
);
