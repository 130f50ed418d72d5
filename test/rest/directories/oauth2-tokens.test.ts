import { beforeAll, describe, expect, test } from '@jest/globals';
import { read, refresh, register, tokensFor } from '../../oauth2/flow.ts';
import { statements, useServer } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';
import { atDirectory, entryBody } from './directory-requests.ts';

const server = useServer();
beforeAll(async () => {
  for (const clientId of ['app', 'plain']) await register(server, { clientId });
  for (const id of ['ann', 'bob']) await createUser(server, id);
});

type Properties = Record<string, unknown>;
interface EntryBody {
  readonly id: string;
  readonly properties: Properties;
}
const put = (directory: string, { id, properties }: EntryBody) =>
  server.request.put(atDirectory(directory, id)).send(entryBody(directory, { id, properties }));

describe('§5 the directory oauth2Tokens', () => {
  const list = async (query = {}): Promise<EntryBody[]> =>
    (await server.request.get(atDirectory('oauth2Tokens')).query(query).expect(200)).body.entries;
  const entryOf = async (accessToken: string): Promise<EntryBody> => {
    const found = (await list()).find(({ properties }) => properties.accessToken === accessToken);
    if (!found) throw new Error('the token is not in the list');
    return found;
  };

  test('GET returns the tokens with their user and client', async () => {
    const { access_token, refresh_token } = await tokensFor(server, 'bob');
    const { id, properties } = await entryOf(access_token);
    expect(properties).toMatchObject({
      id: Number(id),
      accessToken: access_token,
      refreshToken: refresh_token,
      clientId: 'app',
      nuxeoLogin: 'bob',
      creationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const one = await server.request.get(atDirectory('oauth2Tokens', id)).expect(200);
    expect(one.body.properties).toEqual(properties);
  });

  test('PUT of creationDate expires an access token or makes it valid again', async () => {
    const { access_token, refresh_token } = await tokensFor(server);
    await read(server, access_token).expect(200);
    const found = await entryOf(access_token);
    const move = (milliseconds: number) => {
      const creationDate = new Date(Date.now() + milliseconds).toISOString();
      return put('oauth2Tokens', { ...found, properties: { ...found.properties, creationDate } }).expect(200);
    };
    await move(-3_700_000);
    await read(server, access_token).expect(401);
    await move(-60_000);
    await read(server, access_token).expect(200);
    await move(-86_400_000 * 365);
    await read(server, access_token).expect(401);
    await refresh(server, refresh_token).expect(200);
  });

  test('PUT of another creationDate needs a password: no token makes itself last', async () => {
    await createUser(server, 'chief', ['administrators']);
    const { access_token } = await tokensFor(server, 'chief');
    const found = await entryOf(access_token);
    const creationDate = new Date(Date.now() + 60_000).toISOString();
    const byToken = (address: string) => server.anonymous.put(address).auth(access_token, { type: 'bearer' });
    const body = entryBody('oauth2Tokens', { ...found, properties: { ...found.properties, creationDate } });
    const { message } = (await byToken(atDirectory('oauth2Tokens', found.id)).send(body).expect(403)).body;
    expect(message).toContain('requests authenticated with a password can change the date');
    const grant = { 'entity-type': 'nuxeoOAuth2Token', creationDate };
    await byToken('/api/v1/oauth2/token/client/app/user/chief').send(grant).expect(403);
    expect(await entryOf(access_token)).toEqual(found);
    const unchanged = entryBody('oauth2Tokens', { ...found });
    await byToken(atDirectory('oauth2Tokens', found.id)).send(unchanged).expect(200);
  });

  test('PUT of other properties answers 400', async () => {
    const { access_token } = await tokensFor(server);
    const found = await entryOf(access_token);
    for (const change of [
      { nuxeoLogin: 'Administrator' },
      { accessToken: 'x' },
      { creationDate: null },
      { isShared: true },
    ]) {
      await put('oauth2Tokens', { ...found, properties: { ...found.properties, ...change } }).expect(400);
    }
    await read(server, access_token).expect(200);
    await put('oauth2Tokens', found).expect(200);
  });

  const post = (properties: Properties, request = server.request) =>
    request.post(atDirectory('oauth2Tokens')).send(entryBody('oauth2Tokens', { properties }));

  test('POST keeps the given token, which signs its user in at its client', async () => {
    const properties = { accessToken: 'own token', nuxeoLogin: 'bob', clientId: 'app' };
    const { body } = await post(properties).expect(201);
    expect(body).toMatchObject({ id: expect.stringMatching(/^\d+$/), properties });
    expect(body.properties).toMatchObject({ id: Number(body.id), refreshToken: expect.any(String) });
    await read(server, 'own token').expect(200);
    await post(properties).expect(409);
    await server.request.delete(atDirectory('oauth2Tokens', body.id)).expect(204);
    await read(server, 'own token').expect(401);
  });

  test('POST makes a token, which signs nobody in without a client or a user', async () => {
    for (const given of [{}, { nuxeoLogin: 'bob' }, { clientId: 'app' }]) {
      const { body } = await post(given).expect(201);
      const { accessToken, refreshToken } = body.properties;
      expect(body.properties).toMatchObject({ id: Number(body.id), ...given });
      await read(server, accessToken).expect(401);
      await refresh(server, refreshToken).expect(400);
      const found = await server.request.get(atDirectory('oauth2Tokens', body.id)).expect(200);
      expect(found.body.properties).toEqual(body.properties);
    }
    await server.request
      .get('/api/v1/oauth2/token')
      .expect((response) => expect(response.status).not.toBe(500));
  });

  test('POST needs an administrator with a password', async () => {
    const { access_token } = await tokensFor(server);
    await read(server, access_token).expect(200);
    const sent = server.anonymous
      .post(atDirectory('oauth2Tokens'))
      .set('Authorization', `Bearer ${access_token}`);
    await sent.send(entryBody('oauth2Tokens', { properties: { accessToken: 'y' } })).expect(403);
    const bob = server.anonymous.post(atDirectory('oauth2Tokens')).auth('bob', 'secret');
    await bob.send(entryBody('oauth2Tokens', { properties: { accessToken: 'y' } })).expect(403);
    const { totalCount } = await stretch({ accessToken: 'y' });
    expect(totalCount).toBe(0);
  });

  test.each([
    [{ clientId: 'nosuch' }, 400],
    [{ nuxeoLogin: 'nosuch' }, 400],
    [{ serviceName: 'x' }, 400],
    [{ accessToken: 'a.b.c' }, 400],
    [{ accessToken: 1 }, 400],
  ])('POST refuses %j', async (properties, status) => {
    await post(properties).expect(status);
  });

  test('DELETE revokes the access token and the refresh token', async () => {
    const { access_token, refresh_token } = await tokensFor(server);
    await read(server, access_token).expect(200);
    await server.request.delete(atDirectory('oauth2Tokens', (await entryOf(access_token)).id)).expect(204);
    await read(server, access_token).expect(401);
    await refresh(server, refresh_token).expect(400);
  });

  test('GET returns pages, with the same number of SQL statements for many entries as for one', async () => {
    const first = await server.request.get(atDirectory('oauth2Tokens')).query({ pageSize: 1 }).expect(200);
    const second = await server.request
      .get(atDirectory('oauth2Tokens'))
      .query({ pageSize: 1, currentPageIndex: 1 })
      .expect(200);
    expect(first.body).toMatchObject({ currentPageSize: 1, isNextPageAvailable: true });
    expect(second.body.entries[0].id).not.toBe(first.body.entries[0].id);
    const all = await server.request.get(atDirectory('oauth2Tokens')).expect(200);
    expect(all.body.resultsCount).toBe(first.body.resultsCount);
    expect(statements(all)).toBe(statements(second));
  });

  const stretch = async (filter: Properties, directory = 'oauth2Tokens') => {
    const query = `query ($filter: JSON, $directory: String!) { directory(name: $directory) {
      entries(first: 10, filter: $filter) { totalCount: total entries { id properties } } } }`;
    const variables = { filter, directory };
    const { body } = await server.request.post('/graphql').send({ query, variables });
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data.directory.entries as { totalCount: number; entries: EntryBody[] };
  };

  test('entries are filtered by their properties', async () => {
    const { access_token, refresh_token } = await tokensFor(server, 'bob');
    const { id, properties } = await entryOf(access_token);
    for (const filter of [
      { accessToken: access_token },
      { refreshToken: refresh_token },
      { creationDate: properties.creationDate, nuxeoLogin: 'bob', clientId: 'app' },
    ]) {
      expect((await stretch(filter)).entries.map((found) => found.id)).toEqual([id]);
    }
    for (const filter of [{ nuxeoLogin: 'nobody' }, { clientId: 'nosuch' }, { serviceName: 'x' }]) {
      expect((await stretch(filter)).entries).toEqual([]);
    }
    expect((await stretch({ redirectURIs: 'x' }, 'oauth2Clients')).entries).toEqual([]);
    expect((await stretch({ clientId: 'plain', enabled: true }, 'oauth2Clients')).entries).toHaveLength(1);
  });
});
