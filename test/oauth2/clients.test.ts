import { describe, expect, test } from '@jest/globals';
import { useServer } from '../support/server.ts';
import { as, useUsers } from '../support/users.ts';
import { codeFor, exchange, redirect, register, submit } from './flow.ts';

const server = useServer();
useUsers(server, 'ann');

const ask = async (query: string, variables: Record<string, unknown> = {}) =>
  (await server.request.post('/graphql').send({ query, variables })).body;

const fields = 'id clientId name redirectURIs autoGrant enabled hasSecret';
const create = (client: Record<string, unknown>) =>
  ask(`mutation ($client: OAuth2ClientInput!) { createOAuth2Client(client: $client) { ${fields} } }`, {
    client,
  });
const update = (id: number, client: Record<string, unknown>) =>
  ask(
    `mutation ($id: Int!, $client: OAuth2ClientInput!) { updateOAuth2Client(id: $id, client: $client) { ${fields} } }`,
    {
      id,
      client,
    },
  );
const codeOf = ({ errors }: { errors?: Array<{ extensions: { code: string } }> }) =>
  errors?.[0]?.extensions.code;

describe('§5 OAuth clients in GraphQL', () => {
  test('are created, listed, changed and deleted', async () => {
    const { data } = await create({
      clientId: 'one',
      name: 'One',
      redirectURIs: [redirect],
      clientSecret: 's',
    });
    const { id } = data.createOAuth2Client;
    const made = {
      id,
      clientId: 'one',
      name: 'One',
      redirectURIs: [redirect],
      autoGrant: false,
      enabled: true,
    };
    expect(data.createOAuth2Client).toEqual({ ...made, hasSecret: true });
    const list = async () => (await ask(`{ oauth2Clients { ${fields} } }`)).data.oauth2Clients;
    expect(await list()).toContainEqual({ ...made, hasSecret: true });

    const changed = (await update(id, { name: 'Uno', autoGrant: true })).data.updateOAuth2Client;
    expect(changed).toEqual({ ...made, name: 'Uno', autoGrant: true, hasSecret: true });
    expect((await update(id, { clientSecret: null })).data.updateOAuth2Client.hasSecret).toBe(false);

    expect((await ask(`mutation { deleteOAuth2Client(id: ${id}) }`)).data).toEqual({
      deleteOAuth2Client: id,
    });
    expect(await list()).not.toContainEqual(expect.objectContaining({ clientId: 'one' }));
    expect(codeOf(await ask(`mutation { deleteOAuth2Client(id: ${id}) }`))).toBe('NOT_FOUND');
    expect(codeOf(await update(id, { name: 'x' }))).toBe('NOT_FOUND');
  });

  test('a changed secret takes effect immediately', async () => {
    const { id } = await register(server, { clientId: 'changing', clientSecret: 'old' });
    const grant = async (client_secret: string) => {
      const code = await codeFor(server, { client_id: 'changing' });
      return (await exchange(server, code, { client_id: 'changing', client_secret })).status;
    };
    expect(await grant('old')).toBe(200);
    await update(id, { clientSecret: 'new' });
    expect([await grant('old'), await grant('new')]).toEqual([400, 200]);
  });

  test('changed redirect URIs take effect immediately', async () => {
    const { id } = await register(server, { clientId: 'moving' });
    await update(id, { redirectURIs: ['https://other.example.org/'] });
    await submit(server, { client_id: 'moving' }).expect(400);
  });

  test('a client id that another client has is a CONFLICT', async () => {
    const { id } = await register(server, { clientId: 'first' });
    const second = await register(server, { clientId: 'second' });
    expect(codeOf(await create({ clientId: 'first' }))).toBe('CONFLICT');
    expect(codeOf(await update(second.id, { clientId: 'first' }))).toBe('CONFLICT');
    expect((await update(id, { clientId: 'first' })).errors).toBeUndefined();
  });

  test('of two concurrent updates to the same client id one is a CONFLICT', async () => {
    const made = await Promise.all(['left', 'right'].map((clientId) => register(server, { clientId })));
    for (let round = 0; round < 5; round += 1) {
      const clientId = `wanted ${round}`;
      const answers = await Promise.all(made.map(({ id }) => update(id, { clientId })));
      expect(answers.map(codeOf).sort()).toEqual(['CONFLICT', undefined]);
    }
  });

  test.each([
    { clientId: '' },
    {},
    { clientId: 'x'.repeat(256) },
    { clientId: 'ünal' },
    { clientId: 'a', clientSecret: '' },
    { clientId: 'a', clientSecret: 'ü' },
    { clientId: 'a', name: '\0' },
    { clientId: 'a', redirectURIs: ['/relative'] },
    { clientId: 'a', redirectURIs: [''] },
    { clientId: 'a', redirectURIs: ['https://a.org/#fragment'] },
    { clientId: 'a', redirectURIs: ['https://a.org/x y'] },
    { clientId: 'a', redirectURIs: ['https://a.org/,https://b.org'] },
    { clientId: 'a', redirectURIs: ['http://a.org/'] },
    { clientId: 'a', redirectURIs: ['javascript:alert(1)'] },
    { clientId: 'a', redirectURIs: ['data:text/html,x'] },
    { clientId: 'a', redirectURIs: ['file:///etc/passwd'] },
  ])('%j is refused and not stored', async (client) => {
    expect(codeOf(await create(client))).toBe('INVALID');
    expect(await server.database.prisma.oAuth2Client.count({ where: { clientId: 'a' } })).toBe(0);
  });

  test.each([
    'http://localhost:8000/x',
    'http://127.0.0.1/',
    'http://[::1]:1/',
    'com.example.app:/back',
    redirect,
  ])('%s is accepted as a redirect URI', async (uri) => {
    const { id } = await register(server, { clientId: `to ${uri}`, redirectURIs: [uri] });
    expect(id).toBeGreaterThan(0);
  });

  test('are accessible to administrators only', async () => {
    await as(server, 'ann').post('/graphql').send({ query: '{ oauth2Clients { id } }' }).expect(403);
  });

  test('a list of tokens costs the same number of statements for one as for many', async () => {
    const count = async () => {
      const response = await server.request.post('/graphql').send({
        query: '{ oauth2Tokens { id username creationDate accessUntil client { clientId } } }',
      });
      return [
        response.headers['server-timing']?.match(/desc="(\d+)"/)?.[1],
        response.body.data.oauth2Tokens.length,
      ];
    };
    await register(server, { clientId: 'many' });
    await count();
    const [statements, before] = await count();
    for (let index = 0; index < 3; index += 1) {
      const code = await codeFor(server, { client_id: 'many' });
      await exchange(server, code, { client_id: 'many' }).expect(200);
    }
    expect(await count()).toEqual([statements, Number(before) + 3]);
  });

  test('deletion of an unknown token is NOT_FOUND', async () => {
    for (const id of [0, -1, 2_147_483_647]) {
      expect(codeOf(await ask(`mutation { deleteOAuth2Token(id: ${id}) }`))).toBe('NOT_FOUND');
    }
  });
});
