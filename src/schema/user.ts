import type { Context } from '../context.ts';
import { enrichers } from '../enrichers/index.ts';
import { NotFound } from '../errors.ts';
import { type AuthorityRow, type GroupAround, groupsAround } from '../loaders/authorities.ts';
import { showUser } from '../model/show-authority.ts';
import { administrators } from '../scope.ts';
import { changePassword } from '../store/authorities/change-password.ts';
import { createUser, deleteUser, updateUser } from '../store/authorities/users.ts';
import { authorityPage, authorityPageArguments } from './authority-pages.ts';
import { builder, Group, User, Users } from './builder.ts';
import { asObject } from './input.ts';
import { Page, pageCost } from './page.ts';

/** A group as its members show it. */
const GroupReference = builder.objectRef<GroupAround>('GroupReference').implement({
  description: 'A group that a user is in.',
  fields: (t) => ({
    name: t.exposeString('id'),
    label: t.exposeString('label', { nullable: true }),
    url: t.string({
      description: 'Where the group is, below /api/v1.',
      resolve: ({ id }) => `group/${encodeURIComponent(id)}`,
    }),
  }),
});

/** What enrichers add to a user (§9). */
const UserContext = builder.objectRef<AuthorityRow>('UserContext').implement({
  description: 'What is told of a user only when it is asked for.',
  fields: (t) => Object.fromEntries(enrichers.user.map(({ name, field }) => [name, field(t)])),
});

const directGroups = async ({ id }: AuthorityRow, { load }: Context): Promise<readonly string[]> =>
  (await groupsAround(load, id)).filter(({ isDirect }) => isDirect).map(({ id: group }) => group);

/** What memberships are told by costs as much as somebody may have of them. */
const manyCost = { field: 1, multiplier: 10 };

User.implement({
  description: 'Somebody who can log in.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The user name.' }),
    properties: t.field({
      type: 'JSON',
      description: 'By name, as the schema "user" has them, without the password.',
      resolve: async (user, _, context) => showUser(context.model, user, await directGroups(user, context)),
    }),
    groups: t.field({
      type: [Group],
      description: 'Those the user is directly in.',
      complexity: manyCost,
      resolve: async (user, _, context) => {
        const groups = await context.load.groupById.loadMany(await directGroups(user, context));
        return groups.filter((group) => group !== null && !(group instanceof Error)) as AuthorityRow[];
      },
    }),
    extendedGroups: t.field({
      type: [GroupReference],
      description: 'All groups, those reached through other groups included.',
      resolve: async ({ id }, _, { load }) => [...(await groupsAround(load, id))],
    }),
    isAdministrator: t.boolean({
      resolve: async ({ id }, _, { load, chief }) =>
        id === chief || (await groupsAround(load, id)).some((group) => group.id === administrators),
    }),
    isAnonymous: t.boolean({ description: 'Everybody has a name: never.', resolve: () => false }),
    contextParameters: t.field({ type: UserContext, resolve: (user) => user }),
  }),
});

Users.implement({
  description: 'A page of users.',
  interfaces: [Page],
  fields: (t) => ({
    entries: t.field({ type: [User], complexity: { multiplier: 1 }, resolve: ({ entries }) => [...entries] }),
  }),
});

/** What a user is made from, or changed by. */
export const UserInput = builder.inputType('UserInput', {
  description: 'What a user is made from, or changed by.',
  fields: (t) => ({
    id: t.id({ description: 'When given, the name of the user.' }),
    properties: t.field({
      type: 'JSON',
      description:
        'By name: username (needed in a new one), password, groups, firstName and so on. Null clears.',
    }),
  }),
});

const PasswordChange = builder.inputType('PasswordChange', {
  fields: (t) => ({ oldPassword: t.string({ required: true }), newPassword: t.string({ required: true }) }),
});

/** @throws NotFound */
async function userById({ load }: Context, id: string): Promise<AuthorityRow> {
  const user = await load.userById.load(id);
  if (!user) throw new NotFound(`user does not exist: ${id}`);
  return user;
}

builder.queryFields((t) => ({
  user: t.field({
    type: User,
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => userById(context, id),
  }),
  me: t.field({
    type: User,
    description: 'Who is asking.',
    resolve: (_, __, context) => userById(context, context.user.id),
  }),
  usersByIds: t.field({
    type: [User],
    nullable: { list: false, items: true },
    description: 'Users by their ids, null for each that there is not.',
    args: { ids: t.arg.idList({ required: true }) },
    complexity: ({ ids }) => ({ field: 1, multiplier: Math.max(1, ids.length) }),
    resolve: (_, { ids }, { load }) => Promise.all(ids.map((id) => load.userById.load(id))),
  }),
  users: t.field({
    type: Users,
    description: 'Users whose user name, first or last name begins with a text.',
    args: authorityPageArguments,
    complexity: pageCost,
    resolve: (_, args, context) => authorityPage(context, 'user', args),
  }),
}));

builder.mutationFields((t) => ({
  createUser: t.field({
    type: User,
    args: { user: t.arg({ type: UserInput, required: true }) },
    resolve: (_, { user }, context) =>
      context.wrote(createUser(context, { ...user, properties: asObject(user.properties) })),
  }),
  updateUser: t.field({
    type: User,
    args: { id: t.arg.id({ required: true }), user: t.arg({ type: UserInput, required: true }) },
    resolve: (_, { id, user }, context) =>
      context.wrote(updateUser(context, id, { ...user, properties: asObject(user.properties) })),
  }),
  deleteUser: t.id({
    description: 'Deletes a user and all memberships; answers the id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => context.wrote(deleteUser(context, id)),
  }),
  changePassword: t.field({
    type: User,
    description: "Changes the caller's own password.",
    args: { passwords: t.arg({ type: PasswordChange, required: true }) },
    resolve: (_, { passwords: { oldPassword, newPassword } }, context) =>
      changePassword(context, oldPassword, newPassword),
  }),
}));
