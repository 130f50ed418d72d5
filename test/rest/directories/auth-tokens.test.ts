import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { statements, useServer } from '../../support/server.ts';
import { as, createUser, deleteUser, useUsers } from '../../support/users.ts';
import { atDirectory, entryBody } from './directory-requests.ts';

const server = useServer();
useUsers(server, 'ann', 'bob');

type Properties = Record<string, unknown>;
interface EntryBody {
  readonly id: string;
  readonly properties: Properties;
}

const directory = 'authTokens';

/** Creates a token of a user for a device. */
const tokenFor = async (user: string, deviceId: string, applicationName = 'app'): Promise<string> => {
  const query = { applicationName, deviceId, deviceDescription: `the ${deviceId}`, permission: 'rw' };
  return (await server.anonymous.get('/authentication/token').auth(user, 'secret').query(query).expect(201))
    .text;
};
const read = (token: string) =>
  server.anonymous.get('/api/v1/config/types').set('X-Authentication-Token', token);

const list = async (query = {}): Promise<EntryBody[]> =>
  (await server.request.get(atDirectory(directory)).query(query).expect(200)).body.entries;
const entryFor = async (deviceId: string): Promise<EntryBody> => {
  const found = (await list()).find(({ properties }) => properties.deviceId === deviceId);
  if (!found) throw new Error('the token is not in the list');
  return found;
};
const put = ({ id, properties }: EntryBody, sent = id) =>
  server.request.put(atDirectory(directory, id)).send(entryBody(directory, { id: sent, properties }));

describe('§5 the directory authTokens', () => {
  test('GET lists the users and devices of login tokens without the tokens themselves', async () => {
    const token = await tokenFor('ann', 'phone');
    const found = await entryFor('phone');
    expect(found.properties).toEqual({
      token: found.id,
      userName: 'ann',
      applicationName: 'app',
      deviceId: 'phone',
      deviceDescription: 'the phone',
      permission: 'rw',
      creationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const { body } = await server.request.get(atDirectory(directory, found.id)).expect(200);
    expect(body).toMatchObject({ 'entity-type': 'directoryEntry', directoryName: directory, ...found });
    const hash = createHash('sha256').update(token).digest('hex');
    for (const secret of [token, hash]) expect(JSON.stringify(await list())).not.toContain(secret);
  });

  test('the id of an entry is the id at /token and does not authenticate', async () => {
    const { id } = await entryFor('phone');
    const { body } = await as(server, 'ann').get('/api/v1/token').expect(200);
    expect(body.entries.map((own: { id: string }) => own.id)).toEqual([id]);
    await read(id).expect(401);
  });

  test('DELETE revokes the token at once; the device can obtain another one', async () => {
    const token = await tokenFor('bob', 'tablet');
    await read(token).expect(200);
    const { id } = await entryFor('tablet');
    await server.request.delete(atDirectory(directory, id)).expect(204);
    await read(token).expect(401);
    await server.request.get(atDirectory(directory, id)).expect(404);
    await server.request.delete(atDirectory(directory, id)).expect(404);
    const next = await tokenFor('bob', 'tablet');
    expect(next).not.toBe(token);
    await read(next).expect(200);
  });

  test('a token in place of the id finds and revokes its entry', async () => {
    const token = await tokenFor('bob', 'found in a log');
    const kept = await tokenFor('bob', 'kept');
    const { body } = await server.request.get(atDirectory(directory, token)).expect(200);
    expect(body).toMatchObject({ id: token, properties: { token, userName: 'bob' } });
    await server.request.delete(atDirectory(directory, token)).expect(204);
    await read(token).expect(401);
    await read(kept).expect(200);
    await server.request.get(atDirectory(directory, token)).expect(404);
    await server.request.delete(atDirectory(directory, token)).expect(404);
  });

  test('the entries of a deleted user are deleted', async () => {
    await createUser(server, 'eve');
    await tokenFor('eve', 'of eve');
    const { id } = await entryFor('of eve');
    await deleteUser(server, 'eve');
    await server.request.get(atDirectory(directory, id)).expect(404);
  });

  test('POST answers 400 and creates no token', async () => {
    const before = await list();
    const token = '6f5902ac-0000-8000-8000-000000000000';
    const properties = { token, userName: 'ann', applicationName: 'app', deviceId: 'made' };
    const { body } = await server.request
      .post(atDirectory(directory))
      .send(entryBody(directory, { properties }))
      .expect(400);
    expect(body.message).toBe('Login tokens can only be created through /authentication/token.');
    expect(await list()).toEqual(before);
    await read(token).expect(401);
  });

  test('PUT answers 400 to every change and accepts an unchanged entry', async () => {
    const token = await tokenFor('ann', 'fixed');
    const found = await entryFor('fixed');
    for (const change of [
      { userName: 'Administrator' },
      { userName: 'nobody' },
      { permission: 'r' },
      { creationDate: '2020-01-01T00:00:00.000Z' },
      { deviceDescription: null },
      { isShared: true },
    ]) {
      await put({ ...found, properties: { ...found.properties, ...change } }).expect(400);
    }
    const { id: other } = await entryFor('phone');
    await put(found, other).expect(400);
    await put(found, token).expect(400);
    await put(found, 'nosuch').expect(500);
    expect((await put(found).expect(200)).body.properties).toEqual(found.properties);
    expect(await entryFor('fixed')).toEqual(found);
    await read(token).expect(200);
  });

  test.each(['x', '1', '00000000-0000-4000-8000-000000000000', "'; DROP TABLE login_token"])(
    'an unknown id answers 404: %s',
    async (id) => {
      await server.request.get(atDirectory(directory, id)).expect(404);
      await server.request.delete(atDirectory(directory, id)).expect(404);
    },
  );

  test('GET returns pages, with the same number of SQL statements for many entries as for one', async () => {
    const page = (currentPageIndex: number) =>
      server.request.get(atDirectory(directory)).query({ pageSize: 1, currentPageIndex }).expect(200);
    const [first, second] = [await page(0), await page(1)];
    expect(first.body).toMatchObject({ currentPageSize: 1, isNextPageAvailable: true });
    const all = await server.request.get(atDirectory(directory)).expect(200);
    const ids = all.body.entries.map(({ id }: EntryBody) => id);
    expect(ids.length).toBeGreaterThan(2);
    expect([first, second].map(({ body }) => body.entries[0].id)).toEqual(ids.slice(0, 2));
    expect(all.body.resultsCount).toBe(ids.length);
    expect(statements(all)).toBe(statements(second));
  });

  const query = `query ($filter: JSON, $after: String, $first: Int) { directory(name: "authTokens") {
    entries(first: $first, filter: $filter, after: $after) { total endCursor hasNextPage entries { id } } } }`;
  const stretch = async (variables: { filter?: Properties; after?: string; first?: number }) => {
    const { body } = await server.request.post('/graphql').send({ query, variables });
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data.directory.entries as {
      total: number;
      endCursor: string;
      hasNextPage: boolean;
      entries: EntryBody[];
    };
  };

  test('entries are filtered by every property except the token', async () => {
    await tokenFor('bob', 'watch', 'other');
    const { id, properties } = await entryFor('watch');
    const { token: _, ...known } = properties;
    const narrow = { userName: 'bob', applicationName: 'other' };
    for (const filter of [known, narrow, { creationDate: known.creationDate, deviceId: 'watch' }]) {
      expect((await stretch({ filter, first: 9 })).entries).toEqual([{ id }]);
    }
    expect(await stretch({ filter: { userName: 'nobody' }, first: 9 })).toMatchObject({
      total: 0,
      entries: [],
    });
    await expect(stretch({ filter: { token: id }, first: 9 })).rejects.toThrow('cannot be filtered by token');
  });

  test('GraphQL pages entries with a cursor', async () => {
    const ids = (await list()).map(({ id }) => id);
    const seen: string[] = [];
    for (let after: string | undefined, goesOn = true; goesOn; ) {
      const part = await stretch({ first: 2, ...(after !== undefined && { after }) });
      expect(part.total).toBe(ids.length);
      seen.push(...part.entries.map(({ id }) => id));
      [after, goesOn] = [part.endCursor, part.hasNextPage];
    }
    expect(seen).toEqual(ids);
    const elsewhere = Buffer.from(JSON.stringify([1, 'x'])).toString('base64url');
    expect((await stretch({ first: 2, after: elsewhere })).entries).toEqual([]);
  });
});

test('§4.5 the directory authTokens is restricted to administrators', async () => {
  const token = await tokenFor('ann', 'own');
  const { id } = await entryFor('own');
  const ann = as(server, 'ann');
  await ann.get(atDirectory(directory)).expect(403);
  for (const name of [id, token]) {
    await ann.get(atDirectory(directory, name)).expect(403);
    await ann.delete(atDirectory(directory, name)).expect(403);
  }
  await ann
    .post(atDirectory(directory))
    .send(entryBody(directory, { properties: { token: 'x' } }))
    .expect(403);
  await read(token).expect(200);
});
