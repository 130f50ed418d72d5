import { beforeAll, describe, expect, test } from '@jest/globals';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { as } from '../../support/users.ts';
import { createTeam } from './team.ts';

const server = useServer();
const bob = as(server, 'bob');
beforeAll(() => createTeam(server));

const run = (id: string, params: Record<string, unknown> = {}) => call(server.request, id, { params });

describe('User.Get', () => {
  test('answers with the user named by login, or else the caller', async () => {
    const { body } = await run('User.Get', { login: 'bob' }).expect(200);
    expect(body).toEqual((await server.request.get('/api/v1/user/bob').expect(200)).body);
    expect((await call(bob, 'NuxeoPrincipal.Get').expect(200)).body.id).toBe('bob');
    const enriched = await run('User.Get').set('enrichers-user', 'userprofile').expect(200);
    expect(enriched.body).toMatchObject({ id: 'Administrator', contextParameters: { userprofile: {} } });
  });

  test('needs nothing but credentials', async () => {
    await call(bob, 'User.Get', { params: { login: 'carl' } }).expect(200);
    await server.anonymous.post('/api/v1/automation/User.Get').send({}).expect(401);
  });

  test('refuses an unknown user', async () => {
    const { body } = await run('User.Get', { login: 'nobody' }).expect(404);
    expect(body.message).toBe('user does not exist: nobody');
    await run('User.Get', { login: ['bob'] }).expect(400);
  });
});

describe('User.CreateOrUpdate, Group.CreateOrUpdate', () => {
  const user = async (id: string) => (await server.request.get(`/api/v1/user/${id}`).expect(200)).body;
  const logIn = (id: string, password: string) => server.anonymous.get('/api/v1/me').auth(id, password);

  test('create a user who can log in, then change only the given fields', async () => {
    const fields = { firstName: 'Dora', email: 'dora@example.org', company: 'Acme' };
    const params = { username: 'dora', password: 'one', groups: 'team,members', properties: 'lastName=Dee' };
    await run('User.CreateOrUpdate', { ...params, ...fields }).expect(204);
    const { properties } = await user('dora');
    expect(properties).toMatchObject({ ...fields, lastName: 'Dee', groups: ['members', 'team'] });
    await logIn('dora', 'one').expect(200);
    await run('User.CreateOrUpdate', { username: 'dora', groups: '' }).expect(204);
    expect((await user('dora')).properties).toEqual(properties);
    await run('User.CreateOrUpdate', { username: 'dora', company: 'Other', groups: [] }).expect(204);
    expect((await user('dora')).properties).toEqual({ ...properties, company: 'Other', groups: [] });
    await logIn('dora', 'one').expect(200);
    await run('User.CreateOrUpdate', { username: 'dora', password: 'two', mode: 'UPDATE' }).expect(204);
    await logIn('dora', 'one').expect(401);
    await logIn('dora', 'two').expect(200);
  });

  test('create a group with its members, then change only the given fields', async () => {
    const group = async () => {
      const fetch = { 'fetch.group': 'memberUsers,memberGroups' };
      return (await server.request.get('/api/v1/group/crew').set(fetch).expect(200)).body;
    };
    const params = { groupname: 'crew', grouplabel: 'The Crew', members: ['bob', 'carl'], subGroups: 'team' };
    await run('Group.CreateOrUpdate', params).expect(204);
    expect(await group()).toMatchObject({
      grouplabel: 'The Crew',
      memberUsers: ['bob', 'carl'],
      memberGroups: ['team'],
    });
    const form = { groupname: 'crew', grouplabel: 'The Crew', members: '', subGroups: '' };
    await run('Group.CreateOrUpdate', form).expect(204);
    expect(await group()).toMatchObject({ memberUsers: ['bob', 'carl'], memberGroups: ['team'] });
    await run('Group.CreateOrUpdate', { groupname: 'crew', description: 'x', members: [] }).expect(204);
    expect(await group()).toMatchObject({
      grouplabel: 'The Crew',
      memberUsers: [],
      memberGroups: ['team'],
      properties: { description: 'x' },
    });
  });

  test.each([
    ['User.CreateOrUpdate', { username: 'bob', mode: 'create' }, 409, 'user already exists: bob'],
    ['Group.CreateOrUpdate', { groupname: 'team', mode: 'create' }, 409, 'Group already exists: team'],
    ['User.CreateOrUpdate', { username: 'bob', groups: 'odd' }, 400, 'group does not exist: odd'],
    ['Group.CreateOrUpdate', { groupname: 'team', members: 'odd' }, 400, 'user does not exist: odd'],
    ['Group.CreateOrUpdate', { groupname: 'team', subGroups: 'team' }, 400, /members that contain it: team/],
    ['User.CreateOrUpdate', { username: 'bob', email: 'no address' }, 422, /./],
  ])('%s refuses %j', async (id, params, status, message) => {
    const before = await user('bob');
    const { body } = await run(id, params).expect(status);
    if (status !== 422) expect(body.message).toEqual(expect.stringMatching(message));
    expect(await user('bob')).toEqual(before);
  });
});
