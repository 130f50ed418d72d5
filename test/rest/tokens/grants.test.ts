import { beforeAll, describe, expect, test } from '@jest/globals';
import { read, refresh, register, tokensFor } from '../../oauth2/flow.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';

const server = useServer();
beforeAll(async () => {
  for (const id of ['ann', 'bob', 'eve']) await createUser(server, id);
  await register(server);
  await register(server, { clientId: 'other', name: 'Another' });
});

const list = '/api/v1/oauth2/token/client';
const one = (client: string, user: string) =>
  `${list}/${encodeURIComponent(client)}/user/${encodeURIComponent(user)}`;
/** Grants a client access for a user, and returns the tokens. */
const grantTo = (client: string, user: string) => tokensFor(server, user, { client_id: client });

describe('§5 GET /oauth2/token/client', () => {
  test('lists the grants of the user without the tokens', async () => {
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

  test('is called AS_CLIENT, too', async () => {
    const { body } = await as(server, 'ann').get(list).expect(200);
    expect(body.entries.length).toBeGreaterThan(0);
    const other = await as(server, 'ann').get('/api/v1/oauth2/token/AS_CLIENT').expect(200);
    expect(other.body).toEqual(body);
  });

  test('lists only own grants, for administrators too, and answers 401 without credentials', async () => {
    const { body } = await as(server, 'eve').get(list).expect(200);
    expect(body).toEqual({ 'entity-type': 'nuxeoOAuth2Tokens', entries: [] });
    expect((await server.request.get(list).expect(200)).body.entries).toEqual([]);
    await server.anonymous.get(list).expect(401);
  });

  test('costs the same number of SQL statements for many grants as for few', async () => {
    const few = statements(await as(server, 'ann').get(list).expect(200));
    for (let count = 0; count < 5; count += 1) await grantTo('app', 'ann');
    const many = await as(server, 'ann').get(list).expect(200);
    expect(many.body.entries).toHaveLength(7);
    expect(statements(many)).toBe(few);
  });
});

describe('§5 GET /oauth2/token/client/CLIENT/user/USER', () => {
  test('answers the latest token to its user and to administrators', async () => {
    for (const caller of [as(server, 'ann'), server.request]) {
      const { body } = await caller.get(one('app', 'ann')).expect(200);
      expect(body).toMatchObject({ 'entity-type': 'nuxeoOAuth2Token', clientId: 'app', nuxeoLogin: 'ann' });
    }
  });

  test('answers 404 for a missing token, and 403 to other users in both cases', async () => {
    const missing = [one('nosuch', 'ann'), one('app\0', 'ann'), one('a/b', 'ann')];
    for (const address of missing) {
      await as(server, 'ann').get(address).expect(404);
      await as(server, 'ann').delete(address).expect(404);
    }
    await server.request.get(one('app', 'nobody')).expect(404);
    for (const client of ['app', 'nosuch']) {
      const { body } = await as(server, 'eve').get(one(client, 'ann')).expect(403);
      expect(body.message).toBe('Only ann or an administrator can access the tokens that ann granted.');
      await as(server, 'eve').delete(one(client, 'ann')).expect(403);
    }
  });
});

describe('§5 DELETE /oauth2/token/client/CLIENT/user/USER', () => {
  test('revokes all tokens of the client and user, and no others', async () => {
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

  test('is allowed to administrators for any user', async () => {
    const { access_token } = await grantTo('other', 'bob');
    await server.request.delete(one('other', 'bob')).expect(204);
    await read(server, access_token).expect(401);
  });

  test('also revokes tokens that are refreshed at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { refresh_token } = await grantTo('app', 'ann');
      const [{ body }] = await Promise.all([
        refresh(server, refresh_token),
        as(server, 'ann').delete(one('app', 'ann')).expect(204),
      ]);
      // In either order, a token pair that is issued after the revocation has no grant.
      if (body.access_token) await read(server, body.access_token).expect(401);
    }
  });
});

describe('§5 PUT /oauth2/token/client/CLIENT/user/USER', () => {
  const change = (path: string, fields: object, caller = server.request) =>
    caller.put(path).send({ 'entity-type': 'nuxeoOAuth2Token', ...fields });

  test('moves the date from which the hour is counted; the rest may be sent back', async () => {
    const { access_token } = await grantTo('app', 'ann');
    const { body } = await server.request.get(one('app', 'ann')).expect(200);
    expect((await server.request.put(one('app', 'ann')).send(body).expect(200)).body).toEqual(body);
    await read(server, access_token).expect(200);
    const creationDate = '2020-01-01T00:00:00.000Z';
    const moved = await change(one('app', 'ann'), { ...body, creationDate }).expect(200);
    expect(moved.body).toEqual({ ...body, creationDate });
    await read(server, access_token).expect(401);
    await change(one('app', 'ann'), { creationDate: body.creationDate }).expect(200);
    await read(server, access_token).expect(200);
  });

  test.each([
    [{ clientId: 'other' }, 'Only the creationDate of a token can be changed.'],
    [{ nuxeoLogin: 'bob' }, 'Only the creationDate of a token can be changed.'],
    [{ isShared: true }, 'Only the creationDate of a token can be changed.'],
    [{ serviceName: 'elsewhere' }, 'Only the creationDate of a token can be changed.'],
    [{ creationDate: 'yesterday' }, /creationDate/],
    [{ creationDate: 1 }, 'creationDate must be a string.'],
    [{ isShared: 'no' }, 'isShared must be true or false.'],
    [{ 'entity-type': 'token' }, 'entity-type must be "nuxeoOAuth2Token"; got "token".'],
  ])('%j is 400', async (fields, message) => {
    await grantTo('app', 'ann');
    const { body } = await change(one('app', 'ann'), fields).expect(400);
    expect(body.message).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
  });

  test('is for administrators: 403 for its user, too; without a token 404', async () => {
    await grantTo('app', 'ann');
    const creationDate = new Date().toISOString();
    for (const user of ['ann', 'bob'])
      await change(one('app', 'ann'), { creationDate }, as(server, user)).expect(403);
    await server.anonymous.put(one('app', 'ann')).send({}).expect(401);
    for (const missing of [one('nosuch', 'ann'), one('app', 'nobody'), one('app\0', 'ann')])
      await change(missing, { creationDate }).expect(404);
  });
});
