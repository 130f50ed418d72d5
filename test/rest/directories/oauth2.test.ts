import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeFor, exchange, read, redirect, refresh, tokensFor } from '../../oauth2/flow.ts';
import { start, statements, type TestServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';
import { at, entry } from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
  for (const id of ['ann', 'bob']) await createUser(server, id);
});
afterAll(() => server.stop());

type Properties = Record<string, unknown>;
interface EntryBody {
  readonly id: string;
  readonly properties: Properties;
}

const app = { clientId: 'app', name: 'The app', redirectURIs: redirect, autoGrant: false, enabled: true };
const post = (properties: Properties) =>
  server.request.post(at('oauth2Clients')).send(entry('oauth2Clients', { properties }));
const put = (directory: string, { id, properties }: EntryBody) =>
  server.request.put(at(directory, id)).send(entry(directory, { id, properties }));

describe('§5 the directory oauth2Clients', () => {
  let client: EntryBody;

  test('POST registers an application: it can ask for access at once', async () => {
    const { body } = await post(app).expect(201);
    client = body;
    expect(body).toMatchObject({ 'entity-type': 'directoryEntry', directoryName: 'oauth2Clients' });
    expect(body.properties).toEqual({ id: Number(body.id), clientSecret: '', ...app });
    const { access_token } = await tokensFor(server);
    await read(server, access_token).expect(200);
  });

  test('GET shows it, in the list and alone', async () => {
    const { body } = await server.request.get(at('oauth2Clients')).expect(200);
    expect(body.entries).toContainEqual(
      expect.objectContaining({ id: client.id, properties: client.properties }),
    );
    expect(body.resultsCount).toBe(body.entries.length);
    const one = await server.request.get(at('oauth2Clients', client.id)).expect(200);
    expect(one.body.properties).toEqual(client.properties);
  });

  test('an answer sent back changes nothing, and a changed one does', async () => {
    expect((await put('oauth2Clients', client).expect(200)).body.properties).toEqual(client.properties);
    const properties = { ...client.properties, name: 'Another name' };
    const { body } = await put('oauth2Clients', { ...client, properties }).expect(200);
    expect(body.properties).toEqual(properties);
  });

  test('addresses may be a list, or separated by commas', async () => {
    const addresses = [redirect, 'myapp:/back'];
    for (const redirectURIs of [addresses, addresses.join(','), addresses.join(' , ')]) {
      const { body } = await put('oauth2Clients', { ...client, properties: { redirectURIs } }).expect(200);
      expect(body.properties.redirectURIs).toBe(addresses.join(','));
      const code = await codeFor(server, { redirect_uri: 'myapp:/back' });
      await exchange(server, code, { redirect_uri: 'myapp:/back' }).expect(200);
    }
  });

  test('a secret is never shown, stays when it is sent back as shown, and goes with null', async () => {
    const { body: made } = await post({ ...app, clientId: 'secretive', clientSecret: 'sesame' }).expect(201);
    expect(made.properties.clientSecret).toBe('');
    const grant = async (client_secret?: string) => {
      const code = await codeFor(server, { client_id: 'secretive' });
      return (await exchange(server, code, { client_id: 'secretive', client_secret })).status;
    };
    const turn = (clientSecret: string | null) =>
      put('oauth2Clients', {
        ...made,
        properties: { ...made.properties, clientSecret, name: `${clientSecret}` },
      });
    expect([await grant('sesame'), await grant()]).toEqual([200, 400]);
    await turn('').expect(200);
    expect([await grant('sesame'), await grant()]).toEqual([200, 400]);
    await turn('another').expect(200);
    expect([await grant('sesame'), await grant('another')]).toEqual([400, 200]);
    const { body } = await turn(null).expect(200);
    expect(await grant()).toBe(200);
    expect(JSON.stringify(body)).not.toContain('sesame');
  });

  test.each([
    [{ ...app, clientId: undefined }, 400],
    [{ ...app, clientId: 'a', redirectURIs: 'http://elsewhere.example/' }, 400],
    [{ ...app, clientId: 'a', redirectURIs: [1] }, 400],
    [{ ...app, clientId: 'a', enabled: 'yes' }, 400],
    [{ ...app, clientId: 'a', nosuch: 1 }, 400],
    [{ ...app, clientId: 'app' }, 409],
  ])('POST of %j: %i', async (properties, status) => {
    await post(properties).expect(status);
  });

  test('enabled and asked about, when an entry does not say', async () => {
    const { body } = await post({ clientId: 'plain' }).expect(201);
    expect(body.properties).toMatchObject({ enabled: true, autoGrant: false, redirectURIs: '' });
  });

  test('DELETE ends everything that it was granted', async () => {
    const { body } = await post({ ...app, clientId: 'leaving' }).expect(201);
    const { access_token } = await tokensFor(server, 'ann', { client_id: 'leaving' });
    await read(server, access_token).expect(200);
    await server.request.delete(at('oauth2Clients', body.id)).expect(204);
    await read(server, access_token).expect(401);
    await server.request.get(at('oauth2Clients', body.id)).expect(404);
    await server.request.delete(at('oauth2Clients', body.id)).expect(404);
  });

  test.each(['0', '-1', 'x', '2147483648', '99999999999999999999', '1.5', '01'])(
    'an entry %s: 404',
    async (id) => {
      await server.request.get(at('oauth2Clients', id)).expect(404);
      await server.request.delete(at('oauth2Tokens', id)).expect(404);
    },
  );
});

describe('§5 the directory oauth2Tokens', () => {
  const list = async (query = {}): Promise<EntryBody[]> =>
    (await server.request.get(at('oauth2Tokens')).query(query).expect(200)).body.entries;
  const entryOf = async (accessToken: string): Promise<EntryBody> => {
    const found = (await list()).find(({ properties }) => properties.accessToken === accessToken);
    if (!found) throw new Error('the token is not in the list');
    return found;
  };

  test('GET shows tokens as they are, and whose', async () => {
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
    const one = await server.request.get(at('oauth2Tokens', id)).expect(200);
    expect(one.body.properties).toEqual(properties);
  });

  test('the creationDate can be moved: the access token is over, or counts again', async () => {
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

  test('nothing else can be changed', async () => {
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

  test('none can be made', async () => {
    const properties = { accessToken: 'x', nuxeoLogin: 'Administrator', clientId: 'app' };
    await server.request.post(at('oauth2Tokens')).send(entry('oauth2Tokens', { properties })).expect(400);
    await read(server, 'x').expect(401);
  });

  test('DELETE revokes', async () => {
    const { access_token, refresh_token } = await tokensFor(server);
    await read(server, access_token).expect(200);
    await server.request.delete(at('oauth2Tokens', (await entryOf(access_token)).id)).expect(204);
    await read(server, access_token).expect(401);
    await refresh(server, refresh_token).expect(400);
  });

  test('is listed in pages, by as many statements for many as for one', async () => {
    const first = await server.request.get(at('oauth2Tokens')).query({ pageSize: 1 }).expect(200);
    const second = await server.request
      .get(at('oauth2Tokens'))
      .query({ pageSize: 1, currentPageIndex: 1 })
      .expect(200);
    expect(first.body).toMatchObject({ currentPageSize: 1, isNextPageAvailable: true });
    expect(second.body.entries[0].id).not.toBe(first.body.entries[0].id);
    const all = await server.request.get(at('oauth2Tokens')).expect(200);
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

  test('is filtered by what is known of a token', async () => {
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

test.each(['oauth2Clients', 'oauth2Tokens'])('§4.5 %s is for administrators alone', async (directory) => {
  const ann = as(server, 'ann');
  await ann.get(at(directory)).expect(403);
  await ann.get(at(directory, '1')).expect(403);
  await ann.delete(at(directory, '1')).expect(403);
  await ann
    .post(at(directory))
    .send(entry(directory, { properties: { clientId: 'x' } }))
    .expect(403);
  const { body } = await ann.get('/api/v1/directory').expect(200);
  expect(body.entries.map(({ name }: { name: string }) => name)).not.toContain(directory);
});
