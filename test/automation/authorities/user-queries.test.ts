import { beforeAll, describe, expect, test } from '@jest/globals';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as } from '../../support/users.ts';
import { createTeam } from './team.ts';

const server = useServer();
const bob = as(server, 'bob');
beforeAll(() => createTeam(server));

const run = (id: string, params: Record<string, unknown> = {}) => call(server.request, id, { params });

describe('User.Query', () => {
  const names = (body: { users: Array<{ username: string }> }) => body.users.map(({ username }) => username);

  test('answers with users found by the start of a field, in any case, in a plain object', async () => {
    const { body } = await run('User.Query', { username: 'BO' }).expect(200);
    expect(body).toEqual({
      users: [
        {
          username: 'bob',
          firstName: 'Robert',
          lastName: 'Zed',
          email: 'bob@example.org',
          company: null,
          tenantId: null,
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
  ])('finds the matching users for %j', async (params, expected) => {
    const response = await run('User.Query', params).expect(200);
    expect(names(response.body).sort()).toEqual(expected.sort());
    expect(statements(response)).toBe(1);
  });

  test('needs nothing but credentials', async () => {
    await call(bob, 'User.Query', { params: { username: 'carl' } }).expect(200);
    await server.anonymous.post('/api/v1/automation/User.Query').send({}).expect(401);
  });

  test('refuses null characters, and ignores unknown parameters', async () => {
    const { body } = await run('User.Query', { username: 'carl', password: 'x' }).expect(200);
    expect(body.users.map(({ username }: { username: string }) => username)).toEqual(['carl']);
    await run('User.Query', { username: 'a\0' }).expect(400);
  });
});

describe('UserGroup.Suggestion', () => {
  const ids = (body: Array<{ prefixed_id: string }>) => body.map(({ prefixed_id: id }) => id);

  test('answers with users and groups with the fields that suggestion lists display', async () => {
    const { body } = await run('UserGroup.Suggestion', { searchTerm: 'rob' }).expect(200);
    expect(body).toEqual([
      {
        username: 'bob',
        firstName: 'Robert',
        lastName: 'Zed',
        email: 'bob@example.org',
        company: null,
        tenantId: null,
        groups: ['team'],
        id: 'bob',
        'entity-type': 'user',
        type: 'USER_TYPE',
        prefixed_id: 'user:bob',
        displayLabel: 'Robert Zed',
        displayIcon: true,
      },
    ]);
    const groups = await run('UserGroup.Suggestion', { searchTerm: 'our', searchType: 'GROUP_TYPE' });
    expect(groups.body).toEqual([
      {
        groupname: 'team',
        grouplabel: 'Our Team',
        description: null,
        tenantId: null,
        id: 'team',
        'entity-type': 'group',
        type: 'GROUP_TYPE',
        prefixed_id: 'group:team',
        displayLabel: 'Our Team',
        displayIcon: true,
      },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/password/i);
  });

  test.each<[Record<string, unknown>, string[]]>([
    [{ searchTerm: 't' }, ['group:team']],
    [{ prefix: 'b' }, ['user:Bertha', 'user:bob']],
    [{ searchTerm: 'b', searchType: 'GROUP_TYPE' }, []],
    [{ searchTerm: 'b', searchType: '' }, ['user:Bertha', 'user:bob']],
    [{ searchTerm: '', searchType: 'USER_TYPE', groupRestriction: 'team' }, ['user:bob', 'user:carl']],
    [{ searchTerm: 'c', searchType: 'USER_TYPE', groupRestriction: 'team' }, ['user:carl']],
    [{ searchType: 'USER_TYPE', userSuggestionMaxSearchResults: 1 }, ['user:Administrator']],
    [
      { searchType: 'GROUP_TYPE', hideAdminGroups: true, hidePowerUsersGroup: true },
      ['group:members', 'group:team'],
    ],
  ])('finds the matching users and groups for %j', async (params, expected) => {
    const { body } = await run('UserGroup.Suggestion', params).expect(200);
    expect(ids(body).sort()).toEqual(expected.sort());
  });

  test.each<[Record<string, unknown>, string]>([
    [{ hideFirstLabel: true }, 'Zed'],
    [{ hideSecondLabel: 'true' }, 'Robert'],
    [{ hideFirstLabel: true, hideSecondLabel: true }, 'bob'],
    [{ displayEmailInSuggestion: true }, 'Robert Zed bob@example.org'],
    [{ displayEmailInSuggestion: true, hideThirdLabel: true }, 'Robert Zed'],
  ])('builds the label for %j', async (params, label) => {
    const { body } = await run('UserGroup.Suggestion', { searchTerm: 'bob', ...params }).expect(200);
    expect(body[0].displayLabel).toBe(label);
  });

  test('costs three statements, whatever the number of results', async () => {
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

  test('refuses an unknown search type', async () => {
    const { body } = await run('UserGroup.Suggestion', { searchType: 'ANY' }).expect(400);
    expect(body.message).toBe('searchType must be one of USER_TYPE, GROUP_TYPE, USER_GROUP_TYPE');
  });
});
