import { createGroup, updateGroup } from '../../store/authorities/groups.ts';
import { given, isCreated, modeParam } from '../create-or-update.ts';
import { properties, text, texts } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, required } from '../params.ts';

/** A group as the parameters say, new or not. */
export const groupCreateOrUpdate = operation({
  id: 'Group.CreateOrUpdate',
  label: 'Create or Update Group',
  category: 'Users & Groups',
  description: 'Creates a group, or changes what is given of one; for administrators.',
  kind: 'mutation',
  isForAdministrators: true,
  takes: ['void'],
  gives: 'void',
  params: {
    groupname: required(text, 'The name of the group.'),
    grouplabel: optional(text, 'The label.'),
    description: optional(text, 'What the group is for.'),
    tenantId: optional(text, 'The tenant.'),
    members: optional(texts, 'All users that are to be in the group.'),
    subGroups: optional(texts, 'All groups that are to be in the group.'),
    properties: optional(properties, 'Other fields by name; those above stand before them.'),
    mode: modeParam,
  },
  run: async (context, _, { groupname, mode, members, subGroups, properties: others, ...fields }) => {
    const group = {
      ...{ id: groupname, memberUsers: members, memberGroups: subGroups },
      properties: { ...others, ...given(fields) },
    };
    const isThere = (await context.load.groupById.load(groupname)) !== null;
    if (isCreated(mode, isThere)) await createGroup(context, group);
    else await updateGroup(context, groupname, group);
    return null;
  },
});
