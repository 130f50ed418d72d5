import { describe, expect, test } from '@jest/globals';
import {
  groupsOf,
  missingName,
  newName,
  postGroup,
  postUser,
  sidesOf,
} from '../../rest/authorities/authority-requests.ts';
import { statements, useServer } from '../../support/server.ts';

const server = useServer();

const ask = (query: string, variables?: object) =>
  server.request.post('/graphql').send({ query, variables }).expect(200);

const dataOf = async (query: string, variables?: object) => {
  const { body } = await ask(query, variables);
  expect(body.errors).toBeUndefined();
  return body.data;
};

const codeOf = async (query: string, variables?: object): Promise<string> =>
  (await ask(query, variables)).body.errors?.[0]?.extensions.code;

describe('GraphQL: users and groups', () => {
  test('a user has direct groups, extended groups and their parents', async () => {
    const group = await postGroup(server, { grouplabel: 'Inner' });
    const outer = await postGroup(server, { memberGroups: [group] });
    const id = await postUser(server, { firstName: 'Jane', groups: [group] });
    const query = `query ($id: ID!) {
      user(id: $id) { id properties isAdministrator groups { id grouplabel parentGroups } extendedGroups { name } }
      authority(id: $id) { user { id } group { id } }
      me { id }
    }`;
    expect(await dataOf(query, { id })).toEqual({
      user: {
        id,
        properties: expect.objectContaining({ username: id, firstName: 'Jane' }),
        isAdministrator: false,
        groups: [{ id: group, grouplabel: 'Inner', parentGroups: [outer] }],
        extendedGroups: [{ name: group }, { name: outer }],
      },
      authority: { user: { id }, group: null },
      me: { id: 'Administrator' },
    });
  });

  test('usersByIds and groupsByIds are null at the ids that do not exist, and read all others at once', async () => {
    const users = [await postUser(server), await postUser(server)];
    const groups = [await postGroup(server, { grouplabel: 'Inner' }), await postGroup(server)];
    const query = `query ($ids: [ID!]!) {
      usersByIds(ids: $ids) { id }
      groupsByIds(ids: $ids) { id grouplabel }
    }`;
    const countOf = async (ids: readonly string[]) => statements(await ask(query, { ids }));
    const ids = [...users, missingName, '\0', ...groups];
    expect(await dataOf(query, { ids })).toEqual({
      usersByIds: [...users.map((id) => ({ id })), null, null, null, null],
      groupsByIds: [
        null,
        null,
        null,
        null,
        { id: groups[0], grouplabel: 'Inner' },
        { id: groups[1], grouplabel: null },
      ],
    });
    expect(await countOf(ids)).toBe(await countOf([users[0] ?? '', groups[0] ?? '']));
  });

  test.each(['user(id: $id) { id }', 'group(id: $id) { id }', 'authority(id: $id) { user { id } }'])(
    '%s is null with an unknown id',
    async (field) => {
      for (const id of [missingName, '\0', 'x'.repeat(10_000)])
        expect(await dataOf(`query ($id: ID!) { absent: ${field} }`, { id })).toEqual({ absent: null });
    },
  );

  test.each([
    'mutation ($id: ID!) { deleteUser(id: $id) }',
    'mutation ($id: ID!) { deleteGroup(id: $id) }',
    'mutation ($id: ID!) { deleteAuthority(id: $id) }',
    'mutation ($id: ID!) { addMember(group: $id, user: "Administrator") { user { id } } }',
    'mutation ($id: ID!) { addMemberGroup(group: "members", member: $id) { id } }',
  ])('%s is NOT_FOUND with an unknown id', async (query) => {
    for (const id of [missingName, '\0', 'x'.repeat(10_000)])
      expect(await codeOf(query, { id })).toBe('NOT_FOUND');
  });

  test('pages after the last id list all users, with a constant number of statements', async () => {
    const ids = [];
    for (let count = 0; count < 7; count += 1)
      ids.push(await postUser(server, { username: newName('walk') }));
    const query = `query ($after: ID) {
      users(q: "walk", after: $after, pageSize: 3) { resultsCount entries { id groups { id } } }
    }`;
    const seen: string[] = [];
    const costs = new Set<number>();
    await dataOf(query);
    for (let after: string | undefined; ; after = seen.at(-1)) {
      const response = await ask(query, { after });
      const { entries, resultsCount } = response.body.data.users;
      expect(resultsCount).toBe(7);
      if (entries.length === 0) break;
      costs.add(statements(response));
      seen.push(...entries.map(({ id }: { id: string }) => id));
    }
    expect(seen).toEqual([...ids].sort());
    expect(costs.size).toBe(1);
  });

  test('members of many groups cost as many statements as those of one', async () => {
    const groups = [];
    for (let count = 0; count < 5; count += 1) {
      const user = await postUser(server);
      groups.push(await postGroup(server, { id: newName('lots'), memberUsers: [user, 'Administrator'] }));
    }
    const query = `query ($q: String!) {
      groups(q: $q) { entries { id memberUsers users(pageSize: 5) { resultsCount entries { id extendedGroups { name } } } } }
    }`;
    await dataOf(query, { q: 'lots' });
    const [one, all] = [await ask(query, { q: groups[0] }), await ask(query, { q: 'lots' })];
    expect(one.body.data.groups.entries).toHaveLength(1);
    expect(all.body.data.groups.entries).toHaveLength(5);
    for (const { users, memberUsers } of all.body.data.groups.entries) {
      expect(users.entries.map(({ id }: { id: string }) => id).sort()).toEqual([...memberUsers].sort());
      expect(users.resultsCount).toBe(2);
    }
    expect(statements(all)).toBe(statements(one));
  });

  test('each mutation of an operation sees the changes of those before it', async () => {
    const [user, group, inner] = [newName(), newName(), newName()];
    const query = `mutation ($user: ID!, $group: ID!, $inner: ID!, $properties: JSON!) {
      createUser(user: { properties: $properties }) { groups { id } }
      createGroup(group: { id: $group }) { memberUsers }
      again: createGroup(group: { groupname: $inner, grouplabel: "Inner" }) { grouplabel }
      addMember(user: $user, group: $group) { user { groups { id } } group { memberUsers } }
      addMemberGroup(group: $group, member: $inner) { memberGroups }
      updateUser(id: $user, user: { properties: { company: "Acme" } }) { properties groups { id } }
      updateGroup(id: $inner, group: { memberUsers: [$user] }) { memberUsers parentGroups }
      removeMember(user: $user, group: $group) { user { extendedGroups { name } } group { memberUsers } }
      removeMemberGroup(group: $group, member: $inner) { memberGroups }
      updateAuthority(id: $group, authority: { group: { grouplabel: "New" } }) { user { id } group { grouplabel } }
    }`;
    expect(await dataOf(query, { user, group, inner, properties: { username: user } })).toEqual({
      createUser: { groups: [] },
      createGroup: { memberUsers: [] },
      again: { grouplabel: 'Inner' },
      addMember: { user: { groups: [{ id: group }] }, group: { memberUsers: [user] } },
      addMemberGroup: { memberGroups: [inner] },
      updateUser: { properties: expect.objectContaining({ company: 'Acme' }), groups: [{ id: group }] },
      updateGroup: { memberUsers: [user], parentGroups: [group] },
      removeMember: {
        user: {
          extendedGroups: [{ name: group }, { name: inner }].sort((a, b) => (a.name < b.name ? -1 : 1)),
        },
        group: { memberUsers: [] },
      },
      removeMemberGroup: { memberGroups: [] },
      updateAuthority: { user: null, group: { grouplabel: 'New' } },
    });
    expect(await groupsOf(server, user)).toEqual({ direct: [inner], all: [inner] });
  });

  test('a cycle of groups is INVALID and rolls back the whole operation', async () => {
    const inner = await postGroup(server);
    const outer = await postGroup(server, { memberGroups: [inner] });
    const query = `mutation ($inner: ID!, $outer: ID!) {
      removeMember(group: "administrators", user: "Administrator") { user { id } }
      addMemberGroup(group: $inner, member: $outer) { id }
    }`;
    expect(await codeOf(query, { inner, outer })).toBe('INVALID');
    expect(await codeOf(query, { inner, outer: inner })).toBe('INVALID');
    expect((await sidesOf(server, inner)).memberGroups).toEqual([]);
    expect((await sidesOf(server, 'administrators')).memberUsers).toContain('Administrator');
  });

  test.each([
    ['both', '{ user: {}, group: {} }'],
    ['neither', '{}'],
    ['properties that are a list', '{ user: { properties: [] } }'],
  ])('updateAuthority with %s is INVALID', async (_, authority) => {
    const query = `mutation { updateAuthority(id: "Administrator", authority: ${authority}) { user { id } } }`;
    expect(await codeOf(query)).toBe('INVALID');
  });

  test('a group name with a lone surrogate is INVALID', async () => {
    const group = { id: 'half \ud800' };
    const query = 'mutation ($group: GroupInput!) { createGroup(group: $group) { id } }';
    expect(await codeOf(query, { group })).toBe('INVALID');
  });
});
