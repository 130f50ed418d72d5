import { z } from 'zod';
import { Invalid } from '../../errors.ts';
import { textList } from '../../model/values/json-shapes.ts';
import { call, firstNonNull, input, queryArguments } from '../../selection/selection.ts';
import {
  type BodyReader,
  bodyReader,
  entityTypeShape,
  objectShape,
  optionalText,
  propertiesShape,
  requiredText,
} from '../request/body.ts';
import { del, get, partArguments, post, put, type Route } from '../route.ts';

const ids = textList('must be a list', 'must be a string').nullish();

const user = { 'entity-type': entityTypeShape('user'), id: optionalText, properties: propertiesShape };

const userInput = ({ id: name, properties: values }: z.output<z.ZodObject<typeof user>>) => ({
  id: name,
  properties: values ?? {},
});

const newUser = bodyReader(objectShape('NewUser', user), userInput);

const changedUser = bodyReader(objectShape('UserChange', user), userInput);

const group = {
  'entity-type': entityTypeShape('group'),
  id: optionalText,
  groupname: optionalText,
  grouplabel: optionalText,
  properties: propertiesShape,
  memberUsers: ids,
  memberGroups: ids,
};

const groupInput = ({
  'entity-type': _,
  properties: values,
  ...fields
}: z.output<z.ZodObject<typeof group>>) => ({
  ...fields,
  properties: values ?? {},
});

const newGroup = bodyReader(objectShape('NewGroup', group), groupInput);

const changedGroup = bodyReader(objectShape('GroupChange', group), groupInput);

const typeOf = (json: unknown): unknown =>
  typeof json === 'object' && json !== null && 'entity-type' in json ? json['entity-type'] : undefined;

const authority: BodyReader = (json) => {
  const type = typeOf(json);
  if (type === 'user') return { user: changedUser(json) };
  if (type === 'group') return { group: changedGroup(json) };
  throw new Invalid(
    `entity-type must be "user" or "group"; got ${JSON.stringify(type)?.slice(0, 80) ?? 'nothing'}.`,
  );
};

/** At `/user/ID`, the `entity-type` determines whether the body is a user or a group (§4.4). */
const changedAuthority: BodyReader = Object.assign(authority, {
  shape: z.union([changedUser.shape, changedGroup.shape]),
});

/** The request body of `PUT /me/changepassword` (§4.3). */
const changedPassword = bodyReader(
  objectShape('PasswordChange', { oldPassword: requiredText, newPassword: requiredText }),
  (passwords) => passwords,
);

/** The request body of `PUT /me/notifications`. */
const changedNotifications = bodyReader(
  objectShape('NotificationsChange', {
    'entity-type': entityTypeShape('notifications'),
    byMail: z.boolean('must be true or false').nullish(),
    frequency: z.string('must be a string').nullish(),
    language: z.string('must be a string').nullish(),
  }),
  ({ 'entity-type': _, ...changed }) => changed,
);

const byUser = { id: input('address.user') };
const byGroup = { id: input('address.group') };
const page = { ...queryArguments('q'), ...partArguments };

const membership = { user: input('address.user'), group: input('address.group') };

/** The routes for users (§4.3). */
export const userRoutes: readonly Route[] = [
  get('/me', ({ user }) => ({ me: user }), { name: 'getMe', summary: 'The caller' }),
  put(
    '/me/changepassword',
    changedPassword,
    ({ user }) => ({ changePassword: call({ passwords: input('body') }, user) }),
    { name: 'changePassword', summary: "Change the caller's password" },
  ),
  get('/me/notifications', ({ notifications }) => ({ notifications }), {
    name: 'getNotifications',
    summary: "The caller's notification settings",
  }),
  put(
    '/me/notifications',
    changedNotifications,
    ({ notifications }) => ({ changeNotifications: call({ notifications: input('body') }, notifications) }),
    {
      name: 'changeNotifications',
      summary: "Change the caller's notification settings and the language of emails",
    },
  ),
  get('/user', (show) => ({ users: call({ ...page, isWhole: true }, show.users) }), {
    name: 'getUsers',
    summary: 'List users, optionally only those whose names begin with a given prefix',
  }),
  get('/user/search', (show) => ({ users: call(page, show.users) }), {
    name: 'searchUsers',
    summary: 'List users whose names begin with a given prefix',
  }),
  post('/user', newUser, ({ user }) => ({ createUser: call({ user: input('body') }, user) }), {
    name: 'createUser',
    summary: 'Create a user',
  }),
  get('/user/:user', ({ authority }) => ({ authority: firstNonNull(call(byUser, authority)) }), {
    name: 'getUser',
    summary: 'The user or group with the given id',
  }),
  put(
    '/user/:user',
    changedAuthority,
    ({ authority }) => ({
      updateAuthority: firstNonNull(call({ ...byUser, authority: input('body') }, authority)),
    }),
    { name: 'updateUser', summary: 'Change the user or group with the given id' },
  ),
  del('/user/:user', () => ({ deleteAuthority: call(byUser) }), {
    name: 'deleteUser',
    summary: 'Delete the user or group with the given id',
  }),
  post('/user/:user/group/:group', undefined, ({ user }) => ({ addMember: call(membership, { user }) }), {
    name: 'addGroupToUser',
    createsAt: 'address',
    summary: 'Add a user to a group',
    resultPath: ['addMember', 'user'],
  }),
  del('/user/:user/group/:group', ({ user }) => ({ removeMember: call(membership, { user }) }), {
    name: 'removeGroupFromUser',
    summary: 'Remove a user from a group',
    status: 200,
    resultPath: ['removeMember', 'user'],
  }),
];

/** The routes for groups (§4.4). */
export const groupRoutes: readonly Route[] = [
  get('/group', (show) => ({ groups: call({ ...page, isWhole: true }, show.groups) }), {
    name: 'getGroups',
    summary: 'List groups, optionally only those whose names begin with a given prefix',
  }),
  get('/group/search', (show) => ({ groups: call(page, show.groups) }), {
    name: 'searchGroups',
    summary: 'List groups whose names begin with a given prefix',
  }),
  post('/group', newGroup, ({ group }) => ({ createGroup: call({ group: input('body') }, group) }), {
    name: 'createGroup',
    summary: 'Create a group',
  }),
  get('/group/:group', ({ group }) => ({ group: call(byGroup, group) }), {
    name: 'getGroup',
    summary: 'A group',
  }),
  put(
    '/group/:group',
    changedGroup,
    ({ group }) => ({ updateGroup: call({ ...byGroup, group: input('body') }, group) }),
    { name: 'updateGroup', summary: 'Change a group' },
  ),
  del('/group/:group', () => ({ deleteGroup: call(byGroup) }), {
    name: 'deleteGroup',
    summary: 'Delete a group',
  }),
  get('/group/:group/@users', (show) => ({ group: call(byGroup, { users: call(page, show.users) }) }), {
    name: 'getUsersOfGroup',
    summary: 'List the member users of a group',
    resultPath: ['group', 'users'],
  }),
  get('/group/:group/@groups', (show) => ({ group: call(byGroup, { groups: call(page, show.groups) }) }), {
    name: 'getGroupsOfGroup',
    summary: 'List the member groups of a group',
    resultPath: ['group', 'groups'],
  }),
  post(
    '/group/:group/user/:user',
    undefined,
    ({ joinedGroup }) => ({ addMember: call(membership, { group: joinedGroup }) }),
    {
      name: 'addUserToGroup',
      createsAt: 'address',
      summary: 'Add a user to a group',
      resultPath: ['addMember', 'group'],
    },
  ),
  del('/group/:group/user/:user', ({ user }) => ({ removeMember: call(membership, { user }) }), {
    name: 'removeUserFromGroup',
    summary: 'Remove a user from a group',
    status: 200,
    resultPath: ['removeMember', 'user'],
  }),
];
