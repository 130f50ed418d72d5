import { createGroup, updateGroup } from '../../../store/authorities/groups.ts';
import { operation } from '../../operation.ts';
import { longText, propertyMap, text, texts } from '../../params/kinds.ts';
import { definedFields, modeParam, shouldCreate } from '../../params/shared-params.ts';

export const groupCreateOrUpdate = operation({
  id: 'Group.CreateOrUpdate',
  label: 'Create or Update Group',
  category: 'Users & Groups',
  description: 'Creates a group, or changes the given fields of an existing group. Only for administrators.',
  example: { params: { groupname: 'readers', grouplabel: 'Readers', members: ['ina'] } },
  kind: 'mutation',
  isForAdministrators: true,
  gives: 'void',
  params: {
    groupname: text.required('The name of the group.'),
    grouplabel: text.optional('The label.'),
    description: longText.optional('The description.'),
    tenantId: text.optional('The tenant.'),
    members: texts.optional('The names of all member users.'),
    subGroups: texts.optional('The names of all member groups.'),
    properties: propertyMap.optional('Other fields by name; the parameters above override them.'),
    mode: modeParam,
  },
  run: async (context, _, { groupname, mode, members, subGroups, properties: others, ...fields }) => {
    const group = {
      id: groupname,
      memberUsers: members,
      memberGroups: subGroups,
      properties: { ...others, ...definedFields(fields) },
    };
    const isThere = (await context.load.groupById.load(groupname)) !== null;
    if (shouldCreate(mode, isThere)) await createGroup(context, group);
    else await updateGroup(context, groupname, group);
    return null;
  },
});
