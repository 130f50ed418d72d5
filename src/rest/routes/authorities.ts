import { type Arguments, call, Field, input } from '../../selection.ts';
import { changedAuthority, changedGroup, changedPassword, newGroup, newUser } from '../bodies/authorities.ts';
import { del, get, post, put, type Route } from '../route.ts';

const id = { id: input('id') };
const page: Arguments = {
  q: input('q'),
  pageSize: input('pageSize'),
  currentPageIndex: input('currentPageIndex'),
  offset: input('offset'),
};

/** Shows the one of the two that there is. */
const either = (field: Field): Field =>
  new Field({
    ...field,
    show: (value) => {
      const { user, group } = value as { user: unknown; group: unknown };
      return user ?? group;
    },
  });

const membership = { user: input('user'), group: input('group') };

/** §4.3 Users */
export const users: readonly Route[] = [
  get('/me', ({ user }) => ({ me: user })),
  put('/me/changepassword', changedPassword, ({ user }) => ({
    changePassword: call({ passwords: input('body') }, user),
  })),
  get('/user/search', (show) => ({ users: call(page, show.users) })),
  post('/user', newUser, ({ user }) => ({ createUser: call({ user: input('body') }, user) })),
  get('/user/:id', ({ authority }) => ({ authority: either(call(id, authority)) })),
  put('/user/:id', changedAuthority, ({ authority }) => ({
    updateAuthority: either(call({ ...id, authority: input('body') }, authority)),
  })),
  del('/user/:id', () => ({ deleteAuthority: call(id) })),
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
  get('/group/:id', ({ group }) => ({ group: call(id, group) })),
  put('/group/:id', changedGroup, ({ group }) => ({
    updateGroup: call({ ...id, group: input('body') }, group),
  })),
  del('/group/:id', () => ({ deleteGroup: call(id) })),
  get('/group/:id/@users', (show) => ({ group: call(id, { users: call(page, show.users) }) }), {
    show: ['group', 'users'],
  }),
  get('/group/:id/@groups', (show) => ({ group: call(id, { groups: call(page, show.groups) }) }), {
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
