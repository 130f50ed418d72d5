import { NotFound } from '../../errors.ts';
import { asObject } from '../../graphql/as-object.ts';
import { builder, Group, Groups, Users } from '../../graphql/builder.ts';
import { implementPage, pageCost } from '../../graphql/page.ts';
import type { AuthorityRow, GroupRelation } from '../../loaders/authorities/authorities.ts';
import type { Context } from '../../loaders/context.ts';
import { renderGroup } from '../../model/authorities/render-authority.ts';
import { createGroup, deleteGroup, updateGroup } from '../../store/authorities/groups.ts';
import { allAuthoritiesArguments, authorityPage, authorityPageArguments } from './authority-pages.ts';

const label = ({ properties: { grouplabel } }: AuthorityRow): string | null =>
  typeof grouplabel === 'string' ? grouplabel : null;

const side =
  (name: GroupRelation) =>
  async ({ id }: AuthorityRow, _: unknown, { load }: Context): Promise<string[]> => [
    ...(await load.groupMemberships(name, id)),
  ];

Group.implement({
  description: 'A set of users and groups with common permissions.',
  fields: (t) => ({
    id: t.exposeID('id'),
    groupname: t.exposeString('id'),
    grouplabel: t.string({ nullable: true, resolve: label }),
    properties: t.field({
      type: 'JSON',
      description:
        'The properties, by field name of the schema "group", excluding members and parent groups.',
      resolve: (group, _, { services: { model } }) => renderGroup(model, group),
    }),
    memberUsers: t.idList({
      description: 'The ids of the users who are direct members.',
      resolve: side('memberUsers'),
    }),
    memberGroups: t.idList({
      description: 'The ids of the groups that are direct members.',
      resolve: side('memberGroups'),
    }),
    parentGroups: t.idList({
      description: 'The ids of the groups of which the group is a direct member.',
      resolve: side('parentGroups'),
    }),
    users: t.field({
      type: Users,
      description: 'The users who are direct members.',
      args: authorityPageArguments,
      complexity: pageCost,
      resolve: ({ id }, args, context) => authorityPage(context, 'user', args, id),
    }),
    groups: t.field({
      type: Groups,
      description: 'The groups that are direct members.',
      args: authorityPageArguments,
      complexity: pageCost,
      resolve: ({ id }, args, context) => authorityPage(context, 'group', args, id),
    }),
  }),
});

implementPage(Groups, Group, 'A page of groups.');

export const GroupInput = builder.inputType('GroupInput', {
  description: 'The fields of a new or changed group.',
  fields: (t) => ({
    id: t.id({ description: 'The id of the group; groupname is an alias.' }),
    groupname: t.id(),
    grouplabel: t.string({ description: 'An alias of the property grouplabel.' }),
    properties: t.field({
      type: 'JSON',
      description:
        'The properties by field name. Absent properties keep their values; null clears a property.',
    }),
    memberUsers: t.idList({ description: 'All member users; unchanged if absent.' }),
    memberGroups: t.idList({ description: 'All member groups; unchanged if absent.' }),
  }),
});

builder.queryFields((t) => ({
  group: t.field({
    type: Group,
    nullable: true,
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, { load }) => {
      const group = await load.groupById.load(id);
      if (!group) throw new NotFound(`group does not exist: ${id}`);
      return group;
    },
  }),
  groupsByIds: t.field({
    type: [Group],
    nullable: { list: false, items: true },
    description: 'The groups with the given ids; null for each id that does not exist.',
    args: { ids: t.arg.idList({ required: true }) },
    complexity: ({ ids }) => ({ field: 1, multiplier: Math.max(1, ids.length) }),
    resolve: (_, { ids }, { load }) => Promise.all(ids.map((id) => load.groupById.load(id))),
  }),
  groups: t.field({
    type: Groups,
    description: 'The groups whose name or label begins with the given prefix.',
    args: allAuthoritiesArguments,
    complexity: pageCost,
    resolve: (_, args, context) => authorityPage(context, 'group', args),
  }),
}));

builder.mutationFields((t) => ({
  createGroup: t.field({
    type: Group,
    args: { group: t.arg({ type: GroupInput, required: true }) },
    resolve: (_, { group }, context) =>
      createGroup(context, { ...group, properties: asObject(group.properties) }),
  }),
  updateGroup: t.field({
    type: Group,
    args: { id: t.arg.id({ required: true }), group: t.arg({ type: GroupInput, required: true }) },
    resolve: (_, { id, group }, context) =>
      updateGroup(context, id, { ...group, properties: asObject(group.properties) }),
  }),
  deleteGroup: t.id({
    description: 'Deletes a group, but not its members, and returns the id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => deleteGroup(context, id),
  }),
}));
