import { createUser, updateUser } from '../../../store/authorities/users.ts';
import { operation } from '../../operation.ts';
import { propertyMap, shortText, text, texts } from '../../params/kinds.ts';
import { definedFields, modeParam, shouldCreate } from '../../params/shared-params.ts';

export const userCreateOrUpdate = operation({
  id: 'User.CreateOrUpdate',
  label: 'Create or Update User',
  category: 'Users & Groups',
  description: 'Creates a user, or changes the given fields of an existing user. Only for administrators.',
  example: { params: { username: 'bob', firstName: 'Bob', password: 'a long password' } },
  kind: 'mutation',
  isForAdministrators: true,
  gives: 'void',
  params: {
    username: shortText.required('The name of the user.'),
    password: text.optional('The password; unchanged if absent.'),
    email: text.optional('The e-mail address.'),
    firstName: text.optional('The first name.'),
    lastName: text.optional('The last name.'),
    company: text.optional('The company.'),
    tenantId: text.optional('The tenant.'),
    groups: texts.optional('The names of all groups of the user.'),
    properties: propertyMap.optional('Other fields by name; the parameters above override them.'),
    mode: modeParam,
  },
  run: async (context, _, { username, mode, properties: others, ...fields }) => {
    const user = { properties: { ...others, ...definedFields(fields), username } };
    const isThere = (await context.load.userById.load(username)) !== null;
    if (shouldCreate(mode, isThere)) await createUser(context, user);
    else await updateUser(context, username, user);
    return null;
  },
});
