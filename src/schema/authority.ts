import type { Context } from '../context.ts';
import { Invalid, NotFound } from '../errors.ts';
import type { AuthorityRow } from '../loaders/authorities.ts';
import { deleteGroup, updateGroup } from '../store/authorities/groups.ts';
import { deleteUser, updateUser } from '../store/authorities/users.ts';
import { builder, Group, User } from './builder.ts';
import { GroupInput } from './group.ts';
import { asObject } from './input.ts';
import { UserInput } from './user.ts';

/** Whoever an id stands for where it may be of a user or of a group (§4.4): exactly one of the two is there. */
export interface AuthorityShape {
  readonly user?: AuthorityRow | null;
  readonly group?: AuthorityRow | null;
}

/** A user or a group. */
export const Authority = builder.objectRef<AuthorityShape>('Authority').implement({
  description: 'A user or a group, one of which is null.',
  fields: (t) => ({
    user: t.field({ type: User, nullable: true, resolve: ({ user }) => user }),
    group: t.field({ type: Group, nullable: true, resolve: ({ group }) => group }),
  }),
});

const AuthorityInput = builder.inputType('AuthorityInput', {
  description: 'Changes of a user or of a group, exactly one of which is given.',
  fields: (t) => ({ user: t.field({ type: UserInput }), group: t.field({ type: GroupInput }) }),
});

/** The user of that id, else the group. @throws NotFound when there is neither. */
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
    description: 'The user of that id, else the group.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => authorityOf(context, id),
  }),
);

builder.mutationFields((t) => ({
  updateAuthority: t.field({
    type: Authority,
    description: 'Changes the user, or the group, of that id: whichever the changes are for.',
    args: { id: t.arg.id({ required: true }), authority: t.arg({ type: AuthorityInput, required: true }) },
    resolve: async (_, { id, authority: { user, group } }, context) => {
      if (user && !group) {
        const input = { ...user, properties: asObject(user.properties) };
        return { user: await context.wrote(updateUser(context, id, input)) };
      }
      if (!group || user) throw new Invalid('authority: give either user or group');
      const input = { ...group, properties: asObject(group.properties) };
      return { group: await context.wrote(updateGroup(context, id, input)) };
    },
  }),
  deleteAuthority: t.id({
    description: 'Deletes the user of that id, else the group; answers the id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, context) => {
      const { user } = await authorityOf(context, id);
      return context.wrote(user ? deleteUser(context, id) : deleteGroup(context, id));
    },
  }),
}));
