import { Invalid, NotFound } from '../../errors.ts';
import { asObject } from '../../graphql/as-object.ts';
import { builder, Group, User } from '../../graphql/builder.ts';
import type { AuthorityRow } from '../../loaders/authorities/authorities.ts';
import type { Context } from '../../loaders/context.ts';
import { deleteGroup, updateGroup } from '../../store/authorities/groups.ts';
import { deleteUser, updateUser } from '../../store/authorities/users.ts';
import { GroupInput } from './group.ts';
import { UserInput } from './user.ts';

/** A user or a group; exactly one of the two is set (§4.4). */
export interface AuthorityShape {
  readonly user?: AuthorityRow | null;
  readonly group?: AuthorityRow | null;
}

export const Authority = builder.objectRef<AuthorityShape>('Authority').implement({
  description: 'A user or a group; the other field is null.',
  fields: (t) => ({
    user: t.expose('user', { type: User, nullable: true }),
    group: t.expose('group', { type: Group, nullable: true }),
  }),
});

const AuthorityInput = builder.inputType('AuthorityInput', {
  description: 'Changes to a user or a group; exactly one of the two must be set.',
  fields: (t) => ({ user: t.field({ type: UserInput }), group: t.field({ type: GroupInput }) }),
});

/**
 * Returns the user with the given id or, if there is none, the group.
 * @throws NotFound if there is neither
 */
async function authorityOf({ load }: Context, id: string): Promise<AuthorityShape> {
  const user = await load.userById.load(id);
  if (user) return { user };
  const group = await load.groupById.load(id);
  if (group) return { group };
  throw new NotFound(`neither a user nor a group exists: ${id}`);
}

builder.queryField('authority', (t) =>
  t.field({
    type: Authority,
    nullable: true,
    description: 'The user with the given id or, if there is none, the group.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => authorityOf(context, id),
  }),
);

builder.mutationFields((t) => ({
  updateAuthority: t.field({
    type: Authority,
    description: 'Changes the user with the given id or, if there is none, the group.',
    args: { id: t.arg.id({ required: true }), authority: t.arg({ type: AuthorityInput, required: true }) },
    resolve: async (_, { id, authority: { user, group } }, context) => {
      if (user && !group) {
        const input = { ...user, properties: asObject(user.properties) };
        return { user: await updateUser(context, id, input) };
      }
      if (!group || user) throw new Invalid('authority must contain either user or group, matching the id');
      const input = { ...group, properties: asObject(group.properties) };
      return { group: await updateGroup(context, id, input) };
    },
  }),
  deleteAuthority: t.id({
    description: 'Deletes the user with the given id or, if there is none, the group, and returns the id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, context) => {
      const { user } = await authorityOf(context, id);
      return user ? deleteUser(context, id) : deleteGroup(context, id);
    },
  }),
}));
