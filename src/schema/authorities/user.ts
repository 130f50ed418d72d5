import { enrichers } from '../../enrichers/index.ts';
import { NotFound } from '../../errors.ts';
import { asObject } from '../../graphql/as-object.ts';
import { builder, Group, User, Users } from '../../graphql/builder.ts';
import { implementPage, pageCost } from '../../graphql/page.ts';
import { type AuthorityRow, groupsOfUser, type UserGroup } from '../../loaders/authorities/authorities.ts';
import type { Context } from '../../loaders/context.ts';
import { renderUser } from '../../model/authorities/render-authority.ts';
import { administrators } from '../../security/principal.ts';
import { changePassword } from '../../store/authorities/change-password.ts';
import { createUser, deleteUser, updateUser } from '../../store/authorities/users.ts';
import { allAuthoritiesArguments, authorityPage } from './authority-pages.ts';

const GroupReference = builder.objectRef<UserGroup>('GroupReference').implement({
  description: 'A group of which a user is a member.',
  fields: (t) => ({
    name: t.exposeString('id'),
    label: t.exposeString('label', { nullable: true }),
  }),
});

/** The data that enrichers add to a user (§9). */
const UserContext = builder.objectRef<AuthorityRow>('UserContext').implement({
  description: 'The data that enrichers add to a user.',
  fields: (t) => Object.fromEntries(enrichers.user.map(({ name, field }) => [name, field(t)])),
});

const directGroups = async ({ id }: AuthorityRow, { load }: Context): Promise<readonly string[]> =>
  (await groupsOfUser(load, id)).filter(({ isDirect }) => isDirect).map(({ id: group }) => group);

/** The complexity of a list of memberships, whose length is not known in advance. */
const manyCost = { field: 1, multiplier: 10 };

User.implement({
  description: 'A user account.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The user name.' }),
    properties: t.field({
      type: 'JSON',
      description: 'The properties, by field name of the schema "user", excluding the password.',
      resolve: async (user, _, context) =>
        renderUser(context.services.model, user, await directGroups(user, context)),
    }),
    groups: t.field({
      type: [Group],
      description: 'The groups of which the user is a direct member.',
      complexity: manyCost,
      resolve: async (user, _, context) => {
        const groups = await context.load.groupById.loadMany(await directGroups(user, context));
        return groups.filter((group) => group !== null && !(group instanceof Error)) as AuthorityRow[];
      },
    }),
    extendedGroups: t.field({
      type: [GroupReference],
      description: 'All groups of the user, direct and indirect.',
      resolve: async ({ id }, _, { load }) => [...(await groupsOfUser(load, id))],
    }),
    isAdministrator: t.boolean({
      resolve: async ({ id }, _, { load, services }) =>
        id === services.config.ADMIN_USERNAME ||
        (await groupsOfUser(load, id)).some((group) => group.id === administrators),
    }),
    isAnonymous: t.boolean({
      description: 'Always false, because there is no anonymous access.',
      resolve: () => false,
    }),
    contextParameters: t.field({ type: UserContext, resolve: (user) => user }),
  }),
});

implementPage(Users, User, 'A page of users.');

export const UserInput = builder.inputType('UserInput', {
  description: 'The fields of a new or changed user.',
  fields: (t) => ({
    id: t.id({ description: 'If present, it must equal the name of the user.' }),
    properties: t.field({
      type: 'JSON',
      description:
        'The properties by name: username (required for a new user), password, groups, firstName and so on. Null clears a property.',
    }),
  }),
});

const PasswordChange = builder.inputType('PasswordChange', {
  fields: (t) => ({ oldPassword: t.string({ required: true }), newPassword: t.string({ required: true }) }),
});

/**
 * Loads a user.
 * @throws NotFound
 */
async function userById({ load }: Context, id: string): Promise<AuthorityRow> {
  const user = await load.userById.load(id);
  if (!user) throw new NotFound(`user does not exist: ${id}`);
  return user;
}

builder.queryFields((t) => ({
  user: t.field({
    type: User,
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => userById(context, id),
  }),
  me: t.field({
    type: User,
    nullable: true,
    description: 'The caller.',
    resolve: (_, __, context) => userById(context, context.user.id),
  }),
  usersByIds: t.field({
    type: [User],
    nullable: { list: false, items: true },
    description: 'The users with the given ids; null for each id that does not exist.',
    args: { ids: t.arg.idList({ required: true }) },
    complexity: ({ ids }) => ({ field: 1, multiplier: Math.max(1, ids.length) }),
    resolve: (_, { ids }, { load }) => Promise.all(ids.map((id) => load.userById.load(id))),
  }),
  users: t.field({
    type: Users,
    description: 'The users whose user name, first name or last name begins with the given prefix.',
    args: allAuthoritiesArguments,
    complexity: pageCost,
    resolve: (_, args, context) => authorityPage(context, 'user', args),
  }),
}));

builder.mutationFields((t) => ({
  createUser: t.field({
    type: User,
    args: { user: t.arg({ type: UserInput, required: true }) },
    resolve: (_, { user }, context) =>
      createUser(context, { ...user, properties: asObject(user.properties) }),
  }),
  updateUser: t.field({
    type: User,
    args: { id: t.arg.id({ required: true }), user: t.arg({ type: UserInput, required: true }) },
    resolve: (_, { id, user }, context) =>
      updateUser(context, id, { ...user, properties: asObject(user.properties) }),
  }),
  deleteUser: t.id({
    description: 'Deletes a user, removes the user from all groups, and returns the id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => deleteUser(context, id),
  }),
  changePassword: t.field({
    type: User,
    description: "Changes the caller's own password.",
    args: { passwords: t.arg({ type: PasswordChange, required: true }) },
    resolve: (_, { passwords: { oldPassword, newPassword } }, context) =>
      changePassword(context, oldPassword, newPassword),
  }),
}));
