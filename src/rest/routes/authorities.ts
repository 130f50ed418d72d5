import { call, Field, input, queried } from '../../selection.ts';
import { changedAuthority, changedGroup, changedPassword, newGroup, newUser } from '../bodies/authorities.ts';
import { del, get, post, put, type Route } from '../route.ts';

const byUser = { id: input('address.user') };
const byGroup = { id: input('address.group') };
const page = queried('q', 'pageSize', 'currentPageIndex', 'offset');

/** Shows the one of the two that there is. */
const either = (field: Field): Field =>
  new Field({
    ...field,
    show: (value) => {
      const { user, group } = value as { user: unknown; group: unknown };
      return user ?? group;
    },
  });

const membership = { user: input('address.user'), group: input('address.group') };

/** §4.3 Users */
export const users: readonly Route[] = [
  get('/me', ({ user }) => ({ me: user })),
  put('/me/changepassword', changedPassword, ({ user }) => ({
    changePassword: call({ passwords: input('body') }, user),
  })),
  get('/user/search', (show) => ({ users: call(page, show.users) })),
  post('/user', newUser, ({ user }) => ({ createUser: call({ user: input('body') }, user) })),
  get('/user/:user', ({ authority }) => ({ authority: either(call(byUser, authority)) })),
  put('/user/:user', changedAuthority, ({ authority }) => ({
    updateAuthority: either(call({ ...byUser, authority: input('body') }, authority)),
  })),
  del('/user/:user', () => ({ deleteAuthority: call(byUser) })),
  post('/user/:user/group/:group', undefined, ({ user }) => ({ addMember: call(membership, { user }) }), {
    show: ['addMember', 'user'],
  }),
  del('/user/:user/group/:group', ({ user }) => ({ removeMember: call(membership, { user }) }), {
    ...{ status: 200, show: ['removeMember', 'user'] },
  }),
];

/** §4.4 Groups */
export const groups: readonly Route[] = [
  get('/group/search', (show) => ({ groups: call(page, show.groups) })),
  post('/group', newGroup, ({ group }) => ({ createGroup: call({ group: input('body') }, group) })),
  get('/group/:group', ({ group }) => ({ group: call(byGroup, group) })),
  put('/group/:group', changedGroup, ({ group }) => ({
    updateGroup: call({ ...byGroup, group: input('body') }, group),
  })),
  del('/group/:group', () => ({ deleteGroup: call(byGroup) })),
  get('/group/:group/@users', (show) => ({ group: call(byGroup, { users: call(page, show.users) }) }), {
    show: ['group', 'users'],
  }),
  get('/group/:group/@groups', (show) => ({ group: call(byGroup, { groups: call(page, show.groups) }) }), {
    show: ['group', 'groups'],
  }),
  post(
    '/group/:group/user/:user',
    undefined,
    ({ joinedGroup }) => ({ addMember: call(membership, { group: joinedGroup }) }),
    { show: ['addMember', 'group'] },
  ),
  del('/group/:group/user/:user', ({ user }) => ({ removeMember: call(membership, { user }) }), {
    ...{ status: 200, show: ['removeMember', 'user'] },
  }),
];
