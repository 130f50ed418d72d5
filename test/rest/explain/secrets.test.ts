import { describe, expect, test } from '@jest/globals';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { explained } from './explain.ts';

const server = useServer(
  {},
  {
    schemas: [{ name: 'badge', fields: { id: 'string', pin: 'string', label: 'string' } }],
    directories: [{ name: 'badges', schema: 'badge', secrets: ['pin'] }],
  },
);

const hidden = 'Xyzzy-4711';

const user = (more: object = {}) => ({
  'entity-type': 'user',
  id: 'ann',
  properties: { username: 'ann', password: hidden, ...more },
});

const entry = (directoryName: string, properties: object) => ({
  'entity-type': 'directoryEntry',
  directoryName,
  properties,
});

describe('§9 Prefer: explain shows no secrets', () => {
  const calls = {
    'a new user': () => server.request.post('/api/v1/user').send(user()),
    'a changed user': () => server.request.put('/api/v1/user/Administrator').send(user({ firstName: 'A' })),
    'a changed password': () =>
      server.request
        .put('/api/v1/me/changepassword')
        .send({ oldPassword: 'Administrator', newPassword: hidden }),
    'a wrong password': () =>
      server.request.put('/api/v1/me/changepassword').send({ oldPassword: hidden, newPassword: 'other' }),
    'a webhook': () =>
      server.request.post('/api/v1/management/webhooks').send({
        'entity-type': 'webhook',
        url: `https://u:${hidden}@example.org/`,
        secret: `${hidden}-long-enough`,
        events: ['documentCreated'],
      }),
    'an application': () =>
      server.request.post('/api/v1/directory/oauth2Clients').send(
        entry('oauth2Clients', {
          id: 'c',
          clientId: 'c',
          clientSecret: hidden,
          redirectURIs: 'https://a.example.org',
        }),
      ),
    'an entry of a contributed directory': () =>
      server.request
        .post('/api/v1/directory/badges')
        .send(entry('badges', { id: 'b', pin: hidden, label: 'seen' })),
    'parameters as JSON': () =>
      call(server.request, 'Directory.CreateEntries', {
        params: { directoryName: 'badges', entries: JSON.stringify([{ id: 'b', pin: hidden }]) },
      }),
    'parameters as lines': () =>
      call(server.request, 'User.CreateOrUpdate', {
        params: { username: 'ann', properties: `firstName=A\npassword=${hidden}` },
      }),
    'parameters as an object': () =>
      call(server.request, 'User.CreateOrUpdate', {
        params: { username: 'ann', properties: { firstName: 'A', password: hidden } },
      }),
  };

  test.each(Object.entries(calls))('of %s', async (_, ask) => {
    const found = await explained(ask());
    expect(found.operations.length).toBeGreaterThan(0);
    expect(JSON.stringify(found)).not.toContain(hidden);
    expect(JSON.stringify(found)).not.toContain('argon2');
  });

  test('of the credentials of the request', async () => {
    const { text } = await server.request
      .post('/api/v1/token?application=a&deviceId=d&permission=rw')
      .expect(201);
    const asked = `/api/v1/me?token=${text}`;
    const found = await explained(
      server.anonymous.get(asked).set('X-Authentication-Token', text).set('Cookie', `a=${text}`),
    );
    expect(JSON.stringify(found)).not.toContain(text);
  });

  test('shows all else that the caller has sent', async () => {
    const found = await explained(calls['an entry of a contributed directory']());
    expect(found.operations[0]?.variables).toMatchObject({
      body: { properties: { id: 'b', pin: '…', label: 'seen' } },
    });
    expect(JSON.stringify(found.operations[0]?.variables)).toContain('seen');
  });

  test('of values in statements, wherever they come from', async () => {
    const query = `SELECT * FROM Document WHERE dc:title LIKE '%${hidden}%' AND ecm:fulltext = '${hidden}' AND dc:subjects/* IN ('${hidden}') AND file:content/name = '${hidden}'`;
    const asked = [
      `/search/lang/NXQL/execute?query=${encodeURIComponent(query)}`,
      `/search/pp/default_search/execute?ecm_fulltext=${hidden}`,
      `/user/search?q=${hidden}`,
      `/path/${hidden}`,
      `/directory/nature/${hidden}`,
    ];
    for (const address of asked) {
      const found = await explained(server.request.get(`/api/v1${address}`));
      expect(found.statementCount).toBeGreaterThan(0);
      expect(JSON.stringify(found.statements)).not.toContain(hidden);
      expect(JSON.stringify(found.operations)).toContain(hidden);
    }
  });
});
