import { beforeAll, describe, expect, test } from '@jest/globals';
import { askGraphql, type Requests } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const editor = useUser(server, 'editor', ['powerusers']);
const ann = useUser(server, 'ann', ['members']);
const name = 'LATEST_CREATED_USERS_OR_GROUPS_PROVIDER';

const createUser = (id: string) =>
  server.request
    .post('/api/v1/user')
    .send({ 'entity-type': 'user', properties: { username: id, firstName: 'F' } })
    .expect(201);
const createGroup = (id: string) =>
  server.request.post('/api/v1/group').send({ 'entity-type': 'group', id }).expect(201);

beforeAll(async () => {
  await createUser('first');
  await createGroup('second');
  await createUser('gone');
  await createGroup('again');
  await createUser('third');
  await server.request.delete('/api/v1/user/gone').expect(204);
  await server.request.delete('/api/v1/group/again').expect(204);
  await createGroup('again');
});

const latest = async (request: Requests, given: object = {}) => {
  const { body } = await request.get(`/api/v1/query/${name}`).query(given).expect(200);
  return body;
};
const idsIn = ({ entries }: { entries: Array<{ id: string }> }) => entries.map(({ id }) => id);

describe(`§4.7 ${name}`, () => {
  test('lists users and groups by their newest creation, the deleted left out', async () => {
    for (const request of [server.request, editor]) {
      const body = await latest(request);
      expect(body).toMatchObject({ isPaginable: true, isSortable: false, resultsCount: 4, pageSize: 50 });
      expect(body.entries).toMatchObject([
        { 'entity-type': 'group', id: 'again', groupname: 'again' },
        { 'entity-type': 'user', id: 'third', properties: { firstName: 'F' }, isAdministrator: false },
        { 'entity-type': 'group', id: 'second' },
        { 'entity-type': 'user', id: 'first', extendedGroups: [] },
      ]);
    }
  });

  test('shows them as documents as well', async () => {
    const { entries } = await latest(server.request);
    expect(entries.slice(0, 2)).toMatchObject([
      { type: 'group', uid: 'again', properties: { 'group:groupname': 'again' } },
      {
        type: 'user',
        uid: 'third',
        properties: { 'user:username': 'third', 'user:firstName': 'F', firstName: 'F' },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain('password');
  });

  test.each([`/search/pp/${name}/execute`, `/search/lang/pp/${name}`])('is found at %s', async (address) => {
    const { body } = await editor.get(`/api/v1${address}`).expect(200);
    expect(idsIn(body)).toEqual(['again', 'third', 'second', 'first']);
  });

  test.each([
    [{ pageSize: 2 }, ['again', 'third'], { isNextPageAvailable: true, numberOfPages: 2 }],
    [{ pageSize: 2, currentPageIndex: 1 }, ['second', 'first'], { isNextPageAvailable: false }],
    [{ offset: 3 }, ['first'], {}],
    [{ offset: 9 }, [], {}],
  ])('is paged by %j', async (given, ids, page) => {
    const body = await latest(editor, given);
    expect(idsIn(body)).toEqual(ids);
    expect(body).toMatchObject(page);
  });

  test('is for administrators and power users', async () => {
    const { body } = await ann.get(`/api/v1/query/${name}`).expect(403);
    expect(body.message).toContain('ann is neither');
    await server.anonymous.get(`/api/v1/query/${name}`).expect(401);
  });

  test('costs the same number of statements for many as for one', async () => {
    const cost = async (pageSize: number) =>
      statements(await editor.get(`/api/v1/query/${name}`).query({ pageSize }).expect(200));
    await cost(2);
    expect(await cost(4)).toBe(await cost(2));
  });

  test('has them in GraphQL', async () => {
    const query = `{ pageProvider(name: "${name}") {
      usersOrGroups(pageSize: 2) { resultsCount entries { user { id } group { id } } }
    } }`;
    const { pageProvider } = await askGraphql<{ pageProvider: object }>(server.request, query);
    expect(pageProvider).toEqual({
      usersOrGroups: {
        resultsCount: 4,
        entries: [
          { user: null, group: { id: 'again' } },
          { user: { id: 'third' }, group: null },
        ],
      },
    });
  });
});
