import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { start, statements, type TestServer } from '../support/server.ts';
import { as, createGroup, createUser } from '../support/users.ts';
import { call } from './calls.ts';

let server: TestServer;
let bob: TestServer['request'];
beforeAll(async () => {
  server = await start();
  await createGroup(server, 'team');
  await createUser(server, 'bob', ['team']);
  await createUser(server, 'Bertha');
  await createUser(server, 'carl', ['team']);
  bob = as(server, 'bob');
  const change = (id: string, properties: object) =>
    server.request.put(`/api/v1/user/${id}`).send({ 'entity-type': 'user', id, properties }).expect(200);
  await change('bob', { firstName: 'Robert', lastName: 'Zed', email: 'bob@example.org' });
  await change('carl', { firstName: 'Carl', company: 'Acme' });
  await server.request
    .put('/api/v1/group/team')
    .send({ 'entity-type': 'group', id: 'team', grouplabel: 'Our Team' })
    .expect(200);
});
afterAll(() => server.stop());

const run = (id: string, params: Record<string, unknown> = {}) => call(server.request, id, { params });

describe('User.Get', () => {
  test('answers a user, or whoever asks', async () => {
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

  test('refuses a user that there is not', async () => {
    const { body } = await run('User.Get', { login: 'nobody' }).expect(404);
    expect(body.message).toBe('user does not exist: nobody');
    await run('User.Get', { login: ['bob'] }).expect(400);
  });
});

describe('User.Query', () => {
  const names = (body: { users: Array<{ username: string }> }) => body.users.map(({ username }) => username);

  test('answers users whose fields begin so, in any case, without an entity around them', async () => {
    const { body } = await run('User.Query', { username: 'BO' }).expect(200);
    expect(body).toEqual({
      users: [
        {
          ...{ username: 'bob', firstName: 'Robert', lastName: 'Zed', email: 'bob@example.org' },
          ...{ company: null, tenantId: null },
        },
      ],
    });
  });

  test.each<[Record<string, string>, string[]]>([
    [{ username: 'b' }, ['Bertha', 'bob']],
    [{ username: 'b', firstName: 'rob' }, ['bob']],
    [{ company: 'acme' }, ['carl']],
    [{ email: 'nobody' }, []],
    [{ pattern: 'zed' }, ['bob']],
    [{ pattern: 'c', username: 'bob' }, ['carl']],
    [{ username: '' }, ['Administrator', 'Bertha', 'bob', 'carl']],
    [{}, ['Administrator', 'Bertha', 'bob', 'carl']],
    [{ username: 'B%' }, []],
    [{ username: 'bo_' }, []],
    [{ email: 'BOB@example', lastName: 'ZED' }, ['bob']],
    [{ email: 'bob\\' }, []],
    [{ tenantId: 'x' }, []],
  ])('answers for %j', async (params, expected) => {
    const response = await run('User.Query', params).expect(200);
    expect(names(response.body).sort()).toEqual(expected.sort());
    expect(statements(response)).toBe(1);
  });

  test('needs nothing but credentials', async () => {
    await call(bob, 'User.Query', { params: { username: 'carl' } }).expect(200);
    await server.anonymous.post('/api/v1/automation/User.Query').send({}).expect(401);
  });

  test('refuses fields that nobody is searched by', async () => {
    const { body } = await run('User.Query', { password: 'x' }).expect(400);
    expect(body.message).toBe('password: User.Query has no such parameter');
    await run('User.Query', { username: 'a\0' }).expect(400);
  });
});

describe('UserGroup.Suggestion', () => {
  const ids = (body: Array<{ prefixed_id: string }>) => body.map(({ prefixed_id: id }) => id);

  test('answers users and groups with what lists of choice show of them', async () => {
    const { body } = await run('UserGroup.Suggestion', { searchTerm: 'rob' }).expect(200);
    expect(body).toEqual([
      {
        ...{ username: 'bob', firstName: 'Robert', lastName: 'Zed', email: 'bob@example.org' },
        ...{ company: null, tenantId: null, groups: ['team'] },
        ...{ id: 'bob', 'entity-type': 'user', type: 'USER_TYPE', prefixed_id: 'user:bob' },
        ...{ displayLabel: 'Robert Zed', displayIcon: true },
      },
    ]);
    const groups = await run('UserGroup.Suggestion', { searchTerm: 'our', searchType: 'GROUP_TYPE' });
    expect(groups.body).toEqual([
      {
        ...{ groupname: 'team', grouplabel: 'Our Team', description: null, tenantId: null },
        ...{ id: 'team', 'entity-type': 'group', type: 'GROUP_TYPE', prefixed_id: 'group:team' },
        ...{ displayLabel: 'Our Team', displayIcon: true },
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/password/i);
  });

  test.each<[Record<string, unknown>, string[]]>([
    [{ searchTerm: 't' }, ['group:team']],
    [{ prefix: 'b' }, ['user:Bertha', 'user:bob']],
    [{ searchTerm: 'b', searchType: 'GROUP_TYPE' }, []],
    [{ searchTerm: '', searchType: 'USER_TYPE', groupRestriction: 'team' }, ['user:bob', 'user:carl']],
    [{ searchTerm: 'c', searchType: 'USER_TYPE', groupRestriction: 'team' }, ['user:carl']],
    [{ searchType: 'USER_TYPE', userSuggestionMaxSearchResults: 1 }, ['user:Administrator']],
    [
      { searchType: 'GROUP_TYPE', hideAdminGroups: true, hidePowerUsersGroup: true },
      ['group:members', 'group:team'],
    ],
  ])('answers for %j', async (params, expected) => {
    const { body } = await run('UserGroup.Suggestion', params).expect(200);
    expect(ids(body).sort()).toEqual(expected.sort());
  });

  test.each<[Record<string, unknown>, string]>([
    [{ hideFirstLabel: true }, 'Zed'],
    [{ hideSecondLabel: 'true' }, 'Robert'],
    [{ hideFirstLabel: true, hideSecondLabel: true }, 'bob'],
    [{ displayEmailInSuggestion: true }, 'Robert Zed bob@example.org'],
    [{ displayEmailInSuggestion: true, hideThirdLabel: true }, 'Robert Zed'],
  ])('labels for %j', async (params, label) => {
    const { body } = await run('UserGroup.Suggestion', { searchTerm: 'bob', ...params }).expect(200);
    expect(body[0].displayLabel).toBe(label);
  });

  test('answers at a cost that does not depend on how many are found', async () => {
    const one = await run('UserGroup.Suggestion', { searchTerm: 'carl' });
    const all = await run('UserGroup.Suggestion', { hideIcon: true });
    expect(all.body.length).toBeGreaterThan(6);
    expect(all.body[0]).not.toHaveProperty('displayIcon');
    expect(statements(all)).toBe(statements(one));
    expect(statements(all)).toBe(3);
  });

  test('needs nothing but credentials', async () => {
    await call(bob, 'UserGroup.Suggestion', { params: { searchTerm: 'c' } }).expect(200);
    await server.anonymous.post('/api/v1/automation/UserGroup.Suggestion').send({}).expect(401);
  });

  test('refuses another kind of search', async () => {
    const { body } = await run('UserGroup.Suggestion', { searchType: 'ANY' }).expect(400);
    expect(body.message).toBe('searchType: is none of USER_TYPE, GROUP_TYPE, USER_GROUP_TYPE');
  });
});

describe('User.CreateOrUpdate, Group.CreateOrUpdate', () => {
  const user = async (id: string) => (await server.request.get(`/api/v1/user/${id}`).expect(200)).body;
  const logIn = (id: string, password: string) => server.anonymous.get('/api/v1/me').auth(id, password);

  test('create a user who can log in, then change what is given and nothing else', async () => {
    const fields = { firstName: 'Dora', email: 'dora@example.org', company: 'Acme' };
    const params = { username: 'dora', password: 'one', groups: 'team,members', properties: 'lastName=Dee' };
    await run('User.CreateOrUpdate', { ...params, ...fields }).expect(204);
    const { properties } = await user('dora');
    expect(properties).toMatchObject({ ...fields, lastName: 'Dee', groups: ['members', 'team'] });
    await logIn('dora', 'one').expect(200);
    await run('User.CreateOrUpdate', { username: 'dora', company: 'Other', groups: [] }).expect(204);
    expect((await user('dora')).properties).toEqual({ ...properties, company: 'Other', groups: [] });
    await logIn('dora', 'one').expect(200);
    await run('User.CreateOrUpdate', { username: 'dora', password: 'two', mode: 'UPDATE' }).expect(204);
    await logIn('dora', 'one').expect(401);
    await logIn('dora', 'two').expect(200);
  });

  test('create a group with its members, then change what is given and nothing else', async () => {
    const group = async () => {
      const fetch = { 'fetch.group': 'memberUsers,memberGroups' };
      return (await server.request.get('/api/v1/group/crew').set(fetch).expect(200)).body;
    };
    const params = { groupname: 'crew', grouplabel: 'The Crew', members: ['bob', 'carl'], subGroups: 'team' };
    await run('Group.CreateOrUpdate', params).expect(204);
    expect(await group()).toMatchObject({
      ...{ grouplabel: 'The Crew', memberUsers: ['bob', 'carl'], memberGroups: ['team'] },
    });
    await run('Group.CreateOrUpdate', { groupname: 'crew', description: 'x', members: [] }).expect(204);
    expect(await group()).toMatchObject({
      ...{ grouplabel: 'The Crew', memberUsers: [], memberGroups: ['team'] },
      properties: { description: 'x' },
    });
  });

  test.each([
    ['User.CreateOrUpdate', { username: 'bob', mode: 'create' }, 409, 'user already exists: bob'],
    ['Group.CreateOrUpdate', { groupname: 'team', mode: 'create' }, 409, 'group already exists: team'],
    ['User.CreateOrUpdate', { username: 'bob', groups: 'odd' }, 400, 'group does not exist: odd'],
    ['Group.CreateOrUpdate', { groupname: 'team', members: 'odd' }, 400, 'user does not exist: odd'],
    ['Group.CreateOrUpdate', { groupname: 'team', subGroups: 'team' }, 400, /itself/],
    ['User.CreateOrUpdate', { username: 'bob', email: 'no address' }, 422, /./],
  ])('%s refuses %j', async (id, params, status, message) => {
    const before = await user('bob');
    const { body } = await run(id, params).expect(status);
    if (status !== 422) expect(body.message).toEqual(expect.stringMatching(message));
    expect(await user('bob')).toEqual(before);
  });
});
