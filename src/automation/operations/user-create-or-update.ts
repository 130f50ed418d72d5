import { createUser, updateUser } from '../../store/authorities/users.ts';
import { given, isCreated, modeParam } from '../create-or-update.ts';
import { properties, text, texts } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, required } from '../params.ts';

/** A user as the parameters say, new or not. */
export const userCreateOrUpdate = operation({
  id: 'User.CreateOrUpdate',
  label: 'Create or Update User',
  category: 'Users & Groups',
  description: 'Creates a user, or changes what is given of one; for administrators.',
  kind: 'mutation',
  isForAdministrators: true,
  takes: ['void'],
  gives: 'void',
  params: {
    username: required(text, 'The name of the user.'),
    password: optional(text, 'The password; what there is stays when absent.'),
    email: optional(text, 'The e-mail address.'),
    firstName: optional(text, 'The first name.'),
    lastName: optional(text, 'The last name.'),
    company: optional(text, 'The company.'),
    tenantId: optional(text, 'The tenant.'),
    groups: optional(texts, 'All groups that the user is to be in.'),
    properties: optional(properties, 'Other fields by name; those above stand before them.'),
    mode: modeParam,
  },
  run: async (context, _, { username, mode, properties: others, ...fields }) => {
    const user = { properties: { ...others, ...given(fields), username } };
    const isThere = (await context.load.userById.load(username)) !== null;
    if (isCreated(mode, isThere)) await createUser(context, user);
    else await updateUser(context, username, user);
    return null;
  },
});
