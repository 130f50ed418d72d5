import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { read, refresh, register, tokensFor } from '../oauth2/flow.ts';
import { start, statements, type TestServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
  for (const id of ['ann', 'bob', 'eve']) await createUser(server, id);
  await register(server);
  await register(server, { clientId: 'other', name: 'Another' });
});
afterAll(() => server.stop());

const list = '/api/v1/oauth2/token/client';
const one = (client: string, user: string) =>
  `${list}/${encodeURIComponent(client)}/user/${encodeURIComponent(user)}`;
/** Has a user grant access to a client; answers the tokens. */
const grantTo = (client: string, user: string) => tokensFor(server, user, { client_id: client });

describe('§5 GET /oauth2/token/client', () => {
  test('answers what the caller granted, without the tokens', async () => {
    await grantTo('app', 'ann');
    await grantTo('other', 'ann');
    await grantTo('app', 'bob');
    const { body, headers } = await as(server, 'ann').get(list).expect(200);
    expect(headers['content-type']).toContain('nuxeo-entity=nuxeoOAuth2Tokens');
    const common = { 'entity-type': 'nuxeoOAuth2Token', nuxeoLogin: 'ann', isShared: false };
    const none = { serviceName: null, serviceLogin: null, sharedWith: null };
    const creationDate = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(body).toEqual({
      'entity-type': 'nuxeoOAuth2Tokens',
      entries: ['app', 'other'].map((clientId) => ({ ...common, ...none, clientId, creationDate })),
    });
  });

  test('of nobody else, not even for administrators; of nothing an empty list', async () => {
    const { body } = await as(server, 'eve').get(list).expect(200);
    expect(body).toEqual({ 'entity-type': 'nuxeoOAuth2Tokens', entries: [] });
    expect((await server.request.get(list).expect(200)).body.entries).toEqual([]);
    await server.anonymous.get(list).expect(401);
  });

  test('costs as many statements for many as for few', async () => {
    const few = statements(await as(server, 'ann').get(list).expect(200));
    for (let count = 0; count < 5; count += 1) await grantTo('app', 'ann');
    const many = await as(server, 'ann').get(list).expect(200);
    expect(many.body.entries).toHaveLength(7);
    expect(statements(many)).toBe(few);
  });
});

describe('§5 GET /oauth2/token/client/CLIENT/user/USER', () => {
  test('answers the last one, to the user and to administrators', async () => {
    for (const caller of [as(server, 'ann'), server.request]) {
      const { body } = await caller.get(one('app', 'ann')).expect(200);
      expect(body).toMatchObject({ 'entity-type': 'nuxeoOAuth2Token', clientId: 'app', nuxeoLogin: 'ann' });
    }
  });

  test('404 where there is none; 403 to others, whether there is one or not', async () => {
    const missing = [one('nosuch', 'ann'), one('app\0', 'ann'), one('a/b', 'ann')];
    for (const address of missing) {
      await as(server, 'ann').get(address).expect(404);
      await as(server, 'ann').delete(address).expect(404);
    }
    await server.request.get(one('app', 'nobody')).expect(404);
    for (const client of ['app', 'nosuch']) {
      const { body } = await as(server, 'eve').get(one(client, 'ann')).expect(403);
      expect(body.message).toBe('what ann granted is not the business of eve');
      await as(server, 'eve').delete(one(client, 'ann')).expect(403);
    }
  });
});

describe('§5 DELETE /oauth2/token/client/CLIENT/user/USER', () => {
  test('ends the access of an application at once, and that of no other', async () => {
    const [app, again, other] = [
      await grantTo('app', 'ann'),
      await grantTo('app', 'ann'),
      await grantTo('other', 'ann'),
    ];
    const bobs = await grantTo('app', 'bob');
    await as(server, 'ann').delete(one('app', 'ann')).expect(204);
    for (const { access_token, refresh_token } of [app, again]) {
      await read(server, access_token).expect(401);
      await refresh(server, refresh_token).expect(400);
    }
    await read(server, other.access_token).expect(200);
    await read(server, bobs.access_token).expect(200);
    await as(server, 'ann').delete(one('app', 'ann')).expect(404);
    const { body } = await as(server, 'ann').get(list).expect(200);
    expect(new Set(body.entries.map(({ clientId }: { clientId: string }) => clientId))).toEqual(
      new Set(['other']),
    );
  });

  test('by an administrator, for a user', async () => {
    const { access_token } = await grantTo('other', 'bob');
    await server.request.delete(one('other', 'bob')).expect(204);
    await read(server, access_token).expect(401);
  });

  test('an application that changes its tokens meanwhile has none afterwards', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { refresh_token } = await grantTo('app', 'ann');
      const [{ body }] = await Promise.all([
        refresh(server, refresh_token),
        as(server, 'ann').delete(one('app', 'ann')).expect(204),
      ]);
      // Whichever came first: a pair that was made after the revocation is of a grant that was there no more.
      if (body.access_token) await read(server, body.access_token).expect(401);
    }
  });
});
