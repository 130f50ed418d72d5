import { describe, expect, test } from '@jest/globals';
import { codeFor, exchange, read, redirect, tokensFor } from '../../oauth2/flow.ts';
import { useServer } from '../../support/server.ts';
import { as, useUsers } from '../../support/users.ts';
import { atDirectory, entryBody } from './directory-requests.ts';

const server = useServer();
useUsers(server, 'ann', 'bob');

type Properties = Record<string, unknown>;
interface EntryBody {
  readonly id: string;
  readonly properties: Properties;
}

const app = { clientId: 'app', name: 'The app', redirectURIs: redirect, autoGrant: false, enabled: true };
const post = (properties: Properties) =>
  server.request.post(atDirectory('oauth2Clients')).send(entryBody('oauth2Clients', { properties }));
const put = (directory: string, { id, properties }: EntryBody) =>
  server.request.put(atDirectory(directory, id)).send(entryBody(directory, { id, properties }));

describe('§5 the directory oauth2Clients', () => {
  let client: EntryBody;

  test('POST registers a client that can request tokens at once', async () => {
    const { body } = await post(app).expect(201);
    client = body;
    expect(body).toMatchObject({ 'entity-type': 'directoryEntry', directoryName: 'oauth2Clients' });
    expect(body.properties).toEqual({ id: Number(body.id), clientSecret: '', ...app });
    const { access_token } = await tokensFor(server);
    await read(server, access_token).expect(200);
  });

  test('GET returns the client, in the list and by id', async () => {
    const { body } = await server.request.get(atDirectory('oauth2Clients')).expect(200);
    expect(body.entries).toContainEqual(
      expect.objectContaining({ id: client.id, properties: client.properties }),
    );
    expect(body.resultsCount).toBe(body.entries.length);
    const one = await server.request.get(atDirectory('oauth2Clients', client.id)).expect(200);
    expect(one.body.properties).toEqual(client.properties);
  });

  test('PUT of an unchanged entry changes nothing; PUT of a changed entry updates the client', async () => {
    expect((await put('oauth2Clients', client).expect(200)).body.properties).toEqual(client.properties);
    const properties = { ...client.properties, name: 'Another name' };
    const { body } = await put('oauth2Clients', { ...client, properties }).expect(200);
    expect(body.properties).toEqual(properties);
  });

  test('redirect URIs are accepted as a list or separated by commas', async () => {
    const addresses = [redirect, 'myapp:/back'];
    for (const redirectURIs of [addresses, addresses.join(','), addresses.join(' , ')]) {
      const { body } = await put('oauth2Clients', { ...client, properties: { redirectURIs } }).expect(200);
      expect(body.properties.redirectURIs).toBe(addresses.join(','));
      const code = await codeFor(server, { redirect_uri: 'myapp:/back' });
      await exchange(server, code, { redirect_uri: 'myapp:/back' }).expect(200);
    }
  });

  test('takes booleans as texts', async () => {
    const { body } = await post({ ...app, clientId: 'textual', autoGrant: 'true', enabled: 'false' }).expect(
      201,
    );
    expect(body.properties).toMatchObject({ autoGrant: true, enabled: false });
    await post({ ...app, clientId: 'unclear', autoGrant: 'yes' }).expect(400);
  });

  test('a secret is never returned, stays when the empty text is sent back and is cleared by null', async () => {
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
  ])('POST of %j answers %i', async (properties, status) => {
    await post(properties).expect(status);
  });

  test('a new client is enabled and requires consent by default', async () => {
    const { body } = await post({ clientId: 'plain' }).expect(201);
    expect(body.properties).toMatchObject({ enabled: true, autoGrant: false, redirectURIs: '' });
  });

  test('DELETE revokes all tokens of the client', async () => {
    const { body } = await post({ ...app, clientId: 'leaving' }).expect(201);
    const { access_token } = await tokensFor(server, 'ann', { client_id: 'leaving' });
    await read(server, access_token).expect(200);
    await server.request.delete(atDirectory('oauth2Clients', body.id)).expect(204);
    await read(server, access_token).expect(401);
    await server.request.get(atDirectory('oauth2Clients', body.id)).expect(404);
    await server.request.delete(atDirectory('oauth2Clients', body.id)).expect(404);
  });

  test.each(['0', '-1', 'x', '2147483648', '99999999999999999999', '1.5', '01'])(
    'an unknown id answers 404: %s',
    async (id) => {
      await server.request.get(atDirectory('oauth2Clients', id)).expect(404);
      await server.request.delete(atDirectory('oauth2Tokens', id)).expect(404);
    },
  );
});

test.each(['oauth2Clients', 'oauth2Tokens'])(
  '§4.5 the directory %s is restricted to administrators',
  async (directory) => {
    const ann = as(server, 'ann');
    await ann.get(atDirectory(directory)).expect(403);
    await ann.get(atDirectory(directory, '1')).expect(403);
    await ann.delete(atDirectory(directory, '1')).expect(403);
    await ann
      .post(atDirectory(directory))
      .send(entryBody(directory, { properties: { clientId: 'x' } }))
      .expect(403);
    const { body } = await ann.get('/api/v1/directory').expect(200);
    expect(body.entries.map(({ name }: { name: string }) => name)).not.toContain(directory);
  },
);
