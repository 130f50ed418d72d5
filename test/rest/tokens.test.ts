import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { start, statements, type TestServer } from '../support/server.ts';
import { createUser, deleteUser } from '../support/users.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
  for (const id of ['ann', 'bob', 'Žofie Ünal']) await createUser(server, id);
});
afterAll(() => server.stop());

const open = '/api/v1/config/types';
const device = { applicationName: 'app', deviceId: 'd1', deviceDescription: 'Phone', permission: 'rw' };

const acquire = (user: string, query: Record<string, string> = device) =>
  server.anonymous.get('/authentication/token').auth(user, 'secret').query(query);
const tokenOf = async (user: string, deviceId: string): Promise<string> =>
  (await acquire(user, { ...device, deviceId }).expect(201)).text;
const read = (token: string) => server.anonymous.get(open).set('X-Authentication-Token', token);

describe('§5 GET /authentication/token', () => {
  test('answers a token as text, with 201', async () => {
    const { text, headers } = await acquire('ann').expect(201);
    expect(text).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(headers['cache-control']).toBe('no-store');
    await read(text).expect(200);
  });

  test('asking again for the same user, application and device gives the same token', async () => {
    const { text } = await acquire('ann').expect(201);
    for (const more of [{}, { deviceDescription: 'other' }, { permission: 'r' }]) {
      expect((await acquire('ann', { ...device, ...more }).expect(201)).text).toBe(text);
    }
    const others = [
      await acquire('bob'),
      await acquire('ann', { ...device, applicationName: 'other' }),
      await acquire('ann', { ...device, deviceId: 'd2' }),
    ];
    expect(new Set([text, ...others.map((response) => response.text)]).size).toBe(4);
  });

  test('many who ask at once get the same', async () => {
    const texts = await Promise.all(Array.from({ length: 10 }, () => tokenOf('ann', 'at once')));
    expect(new Set(texts).size).toBe(1);
  });

  test('the device description may be missing', async () => {
    const { deviceDescription: _, ...without } = { ...device, deviceId: 'plain' };
    await acquire('ann', without).expect(201);
  });

  test.each(['applicationName', 'deviceId', 'permission'])('without %s: 400', async (name) => {
    for (const query of [
      { ...device, [name]: '' },
      { ...device, [name]: undefined as unknown as string },
    ]) {
      const { body } = await acquire('ann', query).expect(400);
      expect(body).toMatchObject({ status: 400, message: `${name} is missing` });
    }
  });

  test.each([
    ['too long', { applicationName: 'x'.repeat(256) }],
    ['too long', { deviceId: 'é'.repeat(128) }],
    ['NUL', { deviceId: 'a\0b' }],
    ['NUL', { deviceDescription: '\0' }],
  ])('%s: 400', async (_, query) => {
    await acquire('ann', { ...device, ...query }).expect(400);
  });

  test('without credentials, and with wrong ones: 401', async () => {
    await server.anonymous.get('/authentication/token').query(device).expect(401);
    await server.anonymous.get('/authentication/token').auth('ann', 'wrong').query(device).expect(401);
  });

  test('any other verb: 405', async () => {
    const { headers } = await server.request.post('/authentication/token').query(device).expect(405);
    expect(headers.allow).toBe('GET, HEAD');
  });

  test('below the application context', async () => {
    const own = await start({ CONTEXT_PATH: '/nuxeo' });
    try {
      const { text } = await own.request.get('/nuxeo/authentication/token').query(device).expect(201);
      const headers = { 'X-Authentication-Token': text };
      await own.anonymous.get('/nuxeo/api/v1/config/types').set(headers).expect(200);
      await own.request.get('/authentication/token').query(device).expect(404);
    } finally {
      await own.stop();
    }
  });
});

describe('§5 X-Authentication-Token', () => {
  test('is the user who got it, by header or by query', async () => {
    const token = await tokenOf('Žofie Ünal', 'who');
    const response = await server.anonymous.get('/api/v1/token').set('X-Authentication-Token', token);
    expect(response.body.entries).toEqual([expect.objectContaining({ username: 'Žofie Ünal' })]);
    await server.anonymous.get(open).query({ token }).expect(200);
  });

  test('costs no statement once it is known', async () => {
    const token = await tokenOf('ann', 'known');
    await read(token).expect(200);
    expect(statements(await read(token).expect(200))).toBe(0);
  });

  test.each(['', 'x', '00000000-0000-8000-8000-000000000000', 'a\u00e9', "' OR true --"])(
    '"%s" is nobody’s: 401',
    async (token) => {
      await read(token).expect(401);
    },
  );

  test('neither the id of a token nor its hash is a token', async () => {
    await tokenOf('ann', 'stored');
    const rows = await server.database.prisma.loginToken.findMany();
    expect(rows.length).toBeGreaterThan(0);
    for (const { id, hash } of rows) {
      await read(id).expect(401);
      await read(hash).expect(401);
    }
  });

  test('the token itself is nowhere in the database', async () => {
    const token = await tokenOf('ann', 'hidden');
    const rows = await server.database.prisma.loginToken.findMany();
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('a refused one decides, whatever else is right', async () => {
    await server.request.get(open).set('X-Authentication-Token', 'x').expect(200); // Basic stands before it
    await server.anonymous
      .get(open)
      .set('X-Authentication-Token', 'x')
      .query({ access_token: 'y' })
      .expect(401);
    await server.anonymous.get(open).query({ token: 'x', access_token: 'y' }).expect(401);
  });

  test('ends with its user', async () => {
    await createUser(server, 'leaver');
    const token = await tokenOf('leaver', 'd');
    await read(token).expect(200);
    await deleteUser(server, 'leaver');
    await read(token).expect(401);
    await createUser(server, 'leaver');
    await read(token).expect(401);
    const next = await tokenOf('leaver', 'd');
    expect(next).not.toBe(token);
    await read(token).expect(401);
  });
});

describe('§5 revoke=true', () => {
  const revoke = (user: string, deviceId: string) => acquire(user, { ...device, deviceId, revoke: 'true' });

  test('revokes the caller’s own token: it stops working, and the next one is another', async () => {
    const token = await tokenOf('ann', 'lost');
    await read(token).expect(200);
    const { text } = await revoke('ann', 'lost').expect(202);
    expect(text).toMatch(/^Token revoked for userName ann\b/);
    await read(token).expect(401);
    const next = await tokenOf('ann', 'lost');
    expect(next).not.toBe(token);
    await read(next).expect(200);
    await read(token).expect(401);
  });

  test('needs no permission said', async () => {
    const token = await tokenOf('ann', 'gone');
    const { permission: _, ...without } = device;
    await acquire('ann', { ...without, deviceId: 'gone', revoke: 'true' }).expect(202);
    await read(token).expect(401);
  });

  test('where there is none: 400 with words', async () => {
    const token = await tokenOf('ann', 'kept');
    const { text, headers } = await revoke('bob', 'kept').expect(400);
    expect(text).toMatch(/^No token found for userName bob\b/);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    await read(token).expect(200);
  });

  test('without its parameters: 400', async () => {
    const { deviceId: _, ...without } = device;
    await acquire('ann', { ...without, revoke: 'true' }).expect(400);
    await acquire('ann', { ...device, deviceId: '\0', revoke: 'true' }).expect(400);
  });
});

describe('§5 /token', () => {
  const list = (user: string, query = {}) =>
    server.anonymous.get('/api/v1/token').auth(user, 'secret').query(query);

  test('GET lists the caller’s own tokens, without the tokens', async () => {
    await createUser(server, 'lister');
    const token = await tokenOf('lister', 'd1');
    await acquire('lister', { ...device, applicationName: 'other', deviceId: 'd2' }).expect(201);
    const { body, text } = await list('lister').expect(200);
    expect(body).toEqual({
      'entity-type': 'tokens',
      entries: [
        {
          'entity-type': 'token',
          id: expect.stringMatching(/^[\da-f-]{36}$/),
          username: 'lister',
          application: 'app',
          deviceId: 'd1',
          deviceDescription: 'Phone',
          permission: 'rw',
          creationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        },
        expect.objectContaining({ application: 'other', deviceId: 'd2' }),
      ],
    });
    expect(text).not.toContain(token);
  });

  test('GET lists those of one application', async () => {
    const { body } = await list('lister', { application: 'other' }).expect(200);
    expect(body.entries.map(({ deviceId }: { deviceId: string }) => deviceId)).toEqual(['d2']);
    for (const application of ['nosuch', '\0']) {
      expect((await list('lister', { application }).expect(200)).body.entries).toEqual([]);
    }
  });

  test('GET costs as many statements for one as for many', async () => {
    await list('ann');
    const many = statements(await list('ann').expect(200));
    await createUser(server, 'few');
    await list('few');
    expect(statements(await list('few').expect(200))).toBe(many);
  });

  test('POST makes one, as text', async () => {
    const query = { application: 'posted', deviceId: 'd', deviceDescription: 'x', permission: 'rw' };
    const post = () => server.anonymous.post('/api/v1/token').auth('ann', 'secret').query(query);
    const { text, headers } = await post().expect(201);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    await read(text).expect(200);
    expect((await post().expect(201)).text).toBe(text);
    const { body } = await list('ann', { application: 'posted' });
    expect(body.entries).toEqual([expect.objectContaining({ deviceId: 'd', permission: 'rw' })]);
  });

  test('POST wants an application, and no more', async () => {
    const post = (query: Record<string, string>) =>
      server.anonymous.post('/api/v1/token').auth('ann', 'secret').query(query);
    await post({ application: 'alone' }).expect(201);
    expect((await post({ deviceId: 'd' }).expect(400)).body.message).toContain('application is missing');
  });

  const remove = (user: string, id: string) =>
    server.anonymous.delete(`/api/v1/token/${id}`).auth(user, 'secret');
  const idOf = async (user: string, deviceId: string): Promise<string> => {
    const { body } = await list(user);
    return body.entries.find((entry: { deviceId: string }) => entry.deviceId === deviceId).id;
  };

  test('DELETE revokes for its owner, and it is gone at once', async () => {
    const token = await tokenOf('ann', 'mine');
    await read(token).expect(200);
    const id = await idOf('ann', 'mine');
    await remove('ann', id).expect(204);
    await read(token).expect(401);
    await remove('ann', id).expect(404);
  });

  test('DELETE by somebody else: 403, and nothing is revoked; by an administrator: 204', async () => {
    const token = await tokenOf('ann', 'theirs');
    const id = await idOf('ann', 'theirs');
    await remove('bob', id).expect(403);
    await read(token).expect(200);
    await server.request.delete(`/api/v1/token/${id}`).expect(204);
    await read(token).expect(401);
  });

  test.each(['nosuch', '00000000-0000-4000-8000-000000000000'])('DELETE of %s: 404', async (id) => {
    await remove('ann', id).expect(404);
  });
});

test('§5 a token made under another TOKEN_KEY is made anew when it is asked for', async () => {
  const token = await tokenOf('bob', 'moved');
  await server.database.prisma.loginToken.updateMany({
    where: { deviceId: 'moved' },
    data: { hash: 'of a token under another key' },
  });
  await server.database.announce('principals');
  await read(token).expect(401);
  expect(await tokenOf('bob', 'moved')).toBe(token);
  await read(token).expect(200);
});
