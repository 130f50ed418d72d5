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
      description: 'The properties by the field names of the schema "group", without memberships.',
      resolve: (group, _, { services: { model } }) => renderGroup(model, group),
    }),
    memberUsers: t.idList({ description: 'The ids of direct member users.', resolve: side('memberUsers') }),
    memberGroups: t.idList({
      description: 'The ids of direct member groups.',
      resolve: side('memberGroups'),
    }),
    parentGroups: t.idList({
      description: 'The ids of the groups of which the group is a direct member.',
      resolve: side('parentGroups'),
    }),
    users: t.field({
      type: Users,
      description: 'Direct member users.',
      args: authorityPageArguments,
      complexity: pageCost,
      resolve: ({ id }, args, context) => authorityPage(context, 'user', args, id),
    }),
    groups: t.field({
      type: Groups,
      description: 'Direct member groups.',
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
      description: 'The properties by field name. Absent ones keep their value, null clears.',
    }),
    memberUsers: t.idList({ description: 'All member users; unchanged when absent.' }),
    memberGroups: t.idList({ description: 'All member groups; unchanged when absent.' }),
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
  groups: t.field({
    type: Groups,
    description: 'The groups whose name or label has a prefix.',
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
    description: 'Deletes a group and its memberships, but not its members; returns the id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: (_, { id }, context) => deleteGroup(context, id),
  }),
}));
