import type { Context } from '../context.ts';
import { NotFound } from '../errors.ts';
import type { AuthorityRow, Side } from '../loaders/authorities.ts';
import { showGroup } from '../model/show-authority.ts';
import { createGroup, deleteGroup, updateGroup } from '../store/authorities/groups.ts';
import { authorityPage, authorityPageArguments } from './authority-pages.ts';
import { builder, Group, Groups, Users } from './builder.ts';
import { asObject } from './input.ts';
import { Page, pageCost } from './page.ts';

const label = ({ properties: { grouplabel } }: AuthorityRow): string | null =>
  typeof grouplabel === 'string' ? grouplabel : null;

/** Ids of those on one side of a group. */
const side =
  (name: Side) =>
  async ({ id }: AuthorityRow, _: unknown, { load }: Context): Promise<string[]> => [
    ...(await load.memberships(name, id)),
  ];

Group.implement({
  description: 'Users and groups that rights are given to together.',
  fields: (t) => ({
    id: t.exposeID('id'),
    groupname: t.exposeString('id'),
    grouplabel: t.string({ nullable: true, resolve: label }),
    properties: t.field({
      type: 'JSON',
      description: 'By name, as the schema "group" has them, without those that tell memberships.',
      resolve: (group, _, { model }) => showGroup(model, group),
    }),
    memberUsers: t.idList({ description: 'Ids of the users directly in it.', resolve: side('memberUsers') }),
    memberGroups: t.idList({
      description: 'Ids of the groups directly in it.',
      resolve: side('memberGroups'),
    }),
    parentGroups: t.idList({
      description: 'Ids of the groups it is directly in.',
      resolve: side('parentGroups'),
    }),
    users: t.field({
      type: Users,
      description: 'The users directly in it.',
      args: authorityPageArguments,
      complexity: pageCost,
      resolve: ({ id }, args, context) => authorityPage(context, 'user', args, id),
    }),
    groups: t.field({
      type: Groups,
      description: 'The groups directly in it.',
      args: authorityPageArguments,
      complexity: pageCost,
      resolve: ({ id }, args, context) => authorityPage(context, 'group', args, id),
    }),
  }),
});

Groups.implement({
  description: 'A page of groups.',
  interfaces: [Page],
  fields: (t) => ({
    entries: t.field({
      type: [Group],
      complexity: { multiplier: 1 },
      resolve: ({ entries }) => [...entries],
    }),
  }),
});

/** What a group is made from, or changed by. */
export const GroupInput = builder.inputType('GroupInput', {
  description: 'What a group is made from, or changed by.',
  fields: (t) => ({
    id: t.id({ description: 'The name of the group; groupname stands for it as well.' }),
    groupname: t.id(),
    grouplabel: t.string({ description: 'Stands for the property of that name.' }),
    properties: t.field({ type: 'JSON', description: 'By name; what is absent stays, null clears.' }),
    memberUsers: t.idList({ description: 'All users that are to be in it; absent leaves them.' }),
    memberGroups: t.idList({ description: 'All groups that are to be in it; absent leaves them.' }),
  }),
});

builder.queryFields((t) => ({
  group: t.field({
    type: Group,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, { load }) => {
      const group = await load.groupById.load(id);
      if (!group) throw new NotFound(`group does not exist: ${id}`);
      return group;
    },
  }),
  groups: t.field({
    type: Groups,
    description: 'Groups whose name or label begins with a text.',
    args: authorityPageArguments,
    complexity: pageCost,
    resolve: (_, args, context) => authorityPage(context, 'group', args),
  }),
}));

builder.mutationFields((t) => ({
  createGroup: t.field({
    type: Group,
    args: { group: t.arg({ type: GroupInput, required: true }) },
    resolve: (_, { group }, context) =>
      context.wrote(createGroup(context, { ...group, properties: asObject(group.properties) })),
  }),
  updateGroup: t.field({
    type: Group,
    args: { id: t.arg.id({ required: true }), group: t.arg({ type: GroupInput, required: true }) },
    resolve: (_, { id, group }, context) =>
      context.wrote(updateGroup(context, id, { ...group, properties: asObject(group.properties) })),
  }),
  deleteGroup: t.id({
    description: 'Deletes a group and all memberships, not its members; answers the id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => context.wrote(deleteGroup(context, id)),
  }),
}));
