import { beforeAll, describe, expect, test } from '@jest/globals';
import { register, tokensFor } from '../../oauth2/flow.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';

const server = useServer();
const ann = () => as(server, 'ann');
beforeAll(async () => {
  for (const id of ['ann', 'bob']) await createUser(server, id);
  await register(server, { clientSecret: 'hidden' });
});

const createProvider = (serviceName: string, enabled: boolean) =>
  server.request
    .post('/api/v1/directory/oauth2ServiceProviders')
    .send({
      'entity-type': 'directoryEntry',
      directoryName: 'oauth2ServiceProviders',
      properties: {
        serviceName,
        enabled,
        description: 'Elsewhere',
        clientId: 'our id',
        clientSecret: 'our secret',
        authorizationServerURL: 'https://elsewhere.example.org/authorize',
        tokenServerURL: 'https://elsewhere.example.org/token',
        scopes: 'read,write',
      },
    })
    .expect(201);

describe('§5 GET /oauth2/provider', () => {
  const read = async (request = server.request) =>
    (await request.get('/api/v1/oauth2/provider').expect(200)).body;

  test('lists services of others, never with their secrets', async () => {
    expect(await read()).toEqual({ 'entity-type': 'nuxeoOAuth2ServiceProviders', entries: [] });
    await createProvider('elsewhere', true);
    await createProvider('closed', false);
    const body = await read();
    expect(body.entries).toEqual([
      {
        'entity-type': 'nuxeoOAuth2ServiceProvider',
        serviceName: 'elsewhere',
        description: 'Elsewhere',
        clientId: 'our id',
        authorizationServerURL: 'https://elsewhere.example.org/authorize',
        tokenServerURL: 'https://elsewhere.example.org/token',
        userAuthorizationURL: null,
        scopes: ['read', 'write'],
        isEnabled: true,
        isAvailable: false,
        authorizationURL: null,
      },
      expect.objectContaining({ serviceName: 'closed', isEnabled: false }),
    ]);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  test('shows users the enabled ones without our id', async () => {
    const { entries } = await read(ann());
    expect(entries).toEqual([expect.objectContaining({ serviceName: 'elsewhere', clientId: null })]);
  });
});

describe('§5 GET /oauth2/token/provider', () => {
  test.each(['provider', 'AS_PROVIDER'])(
    'is empty at /%s: no service of others is connected',
    async (name) => {
      const { body } = await ann().get(`/api/v1/oauth2/token/${name}`).expect(200);
      expect(body).toEqual({ 'entity-type': 'nuxeoOAuth2Tokens', entries: [] });
    },
  );
});

describe('§5 GET /oauth2/client', () => {
  test('lists the applications to administrators, never with their secrets', async () => {
    const { body } = await server.request.get('/api/v1/oauth2/client').expect(200);
    expect(body).toEqual({
      'entity-type': 'oauth2Clients',
      entries: [
        {
          'entity-type': 'oauth2Client',
          id: 'app',
          name: 'The app',
          redirectURIs: ['https://app.example.org/back'],
          isAutoGrant: false,
          isEnabled: true,
        },
      ],
    });
  });
});

describe('§5 GET /oauth2/token', () => {
  test('lists what all users granted, in as many statements for many as for few', async () => {
    await tokensFor(server, 'ann', { client_id: 'app', client_secret: 'hidden' });
    const few = await server.request.get('/api/v1/oauth2/token').expect(200);
    await tokensFor(server, 'bob', { client_id: 'app', client_secret: 'hidden' });
    const many = await server.request.get('/api/v1/oauth2/token').expect(200);
    expect(many.body).toMatchObject({
      'entity-type': 'nuxeoOAuth2Tokens',
      entries: [
        { clientId: 'app', nuxeoLogin: 'ann' },
        { clientId: 'app', nuxeoLogin: 'bob' },
      ],
    });
    expect(JSON.stringify(many.body)).not.toMatch(/accessToken|refreshToken/);
    expect(statements(many)).toBe(statements(few));
  });
});

test.each(['/oauth2/client', '/oauth2/token'])('§5 GET %s is 403 for users', async (path) => {
  const { body } = await ann().get(`/api/v1${path}`).expect(403);
  expect(body.message).toBe('Only administrators can see all OAuth clients and tokens; ann is not one.');
});

test.each(['/oauth2/provider', '/oauth2/token/provider', '/oauth2/client', '/oauth2/token'])(
  '§5 GET %s is 401 without credentials',
  async (path) => {
    await server.anonymous.get(`/api/v1${path}`).expect(401);
  },
);
