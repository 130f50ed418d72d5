import { describe, expect, test } from '@jest/globals';
import { startServer, statements, useServer } from '../../support/server.ts';
import { createUser, deleteUser, useUsers } from '../../support/users.ts';
import { acquiring, device, open } from './token-requests.ts';

const server = useServer();
useUsers(server, 'ann', 'bob', 'Žofie Ünal');

const { acquire, tokenOf, read } = acquiring(server);

describe('§5 GET /authentication/token', () => {
  test('answers 201 and a token as text', async () => {
    const { text, headers } = await acquire('ann').expect(201);
    expect(text).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    expect(headers['cache-control']).toBe('no-store');
    await read(text).expect(200);
  });

  test('returns the same token for the same user, application and device', async () => {
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

  test('returns the same token to concurrent requests', async () => {
    const texts = await Promise.all(Array.from({ length: 10 }, () => tokenOf('ann', 'at once')));
    expect(new Set(texts).size).toBe(1);
  });

  test('does not require a device description', async () => {
    const { deviceDescription: _, ...without } = { ...device, deviceId: 'plain' };
    await acquire('ann', without).expect(201);
  });

  test.each(['applicationName', 'deviceId', 'permission'])('answers 400 without %s', async (name) => {
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
  ])('answers 400 for an invalid parameter: %s', async (_, query) => {
    await acquire('ann', { ...device, ...query }).expect(400);
  });

  test('answers 401 without credentials and with wrong ones', async () => {
    await server.anonymous.get('/authentication/token').query(device).expect(401);
    await server.anonymous.get('/authentication/token').auth('ann', 'wrong').query(device).expect(401);
  });

  test('answers 405 to other methods', async () => {
    const { headers } = await server.request.post('/authentication/token').query(device).expect(405);
    expect(headers.allow).toBe('GET, HEAD');
  });

  test('is available below the context path', async () => {
    await using own = await startServer({ CONTEXT_PATH: '/nuxeo' });
    const { text } = await own.request.get('/nuxeo/authentication/token').query(device).expect(201);
    const headers = { 'X-Authentication-Token': text };
    await own.anonymous.get('/nuxeo/api/v1/config/types').set(headers).expect(200);
    await own.request.get('/authentication/token').query(device).expect(404);
  });
});

describe('§5 X-Authentication-Token', () => {
  test('authenticates the user of the token, by header or query parameter', async () => {
    const token = await tokenOf('Žofie Ünal', 'who');
    const response = await server.anonymous.get('/api/v1/token').set('X-Authentication-Token', token);
    expect(response.body.entries).toEqual([expect.objectContaining({ username: 'Žofie Ünal' })]);
    await server.anonymous.get(open).query({ token }).expect(200);
  });

  test('authenticates by a cookie, which comes after what a request carries besides it', async () => {
    const token = await tokenOf('ann', 'cookie');
    const cookie = `a=b; X-Authentication-Token=${token}; c=d`;
    const asked = (value = cookie) => server.anonymous.get('/api/v1/me').set('Cookie', value);
    expect((await asked().expect(200)).body.id).toBe('ann');
    expect((await asked().auth('bob', 'secret').expect(200)).body.id).toBe('bob');
    await asked().set('X-Authentication-Token', 'x').expect(401);
    await asked().set('Authorization', 'Bearer x').expect(401);
    for (const wrong of ['X-Authentication-Token=x', 'X-Authentication-Token=', `Token=${token}`, token])
      await asked(wrong).expect(401);
    const { headers } = await server.anonymous.post('/login').send({ username: 'bob', password: 'secret' });
    const [session = ''] = String(headers['set-cookie']).split(';', 1);
    for (const both of [`${session}; X-Authentication-Token=x`, `${cookie}; ${session}`])
      expect((await asked(both).expect(200)).body.id).toBe('bob');
  });

  test('a cookie authenticates no write of a page of another site', async () => {
    const token = await tokenOf('ann', 'foreign');
    const cookie = `X-Authentication-Token=${token}`;
    const post = (headers: Record<string, string>) =>
      server.anonymous
        .post('/api/v1/automation/Document.AddToFavorites')
        .set({ Cookie: cookie, ...headers })
        .send({ input: '/default-domain' });
    const foreign = [
      { Origin: 'https://elsewhere.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
    ];
    for (const headers of foreign) {
      await post(headers as Record<string, string>).expect(403);
      const revoke = { ...device, deviceId: 'foreign', revoke: 'true' };
      const get = server.anonymous.get('/authentication/token').query(revoke);
      await get.set({ Cookie: cookie, ...headers } as Record<string, string>).expect(403);
    }
    const { status } = await post({ 'Sec-Fetch-Site': 'same-origin' });
    expect(status).not.toBe(401);
    await read(token).expect(200);
    await server.anonymous.get('/authentication/token').query(device).set('Cookie', cookie).expect(403);
  });

  test('counts as a cookie only where the chain has login tokens', async () => {
    await using other = await startServer({ AUTH_CHAIN: 'basic,jwt' });
    const { text } = await other.request.get('/authentication/token').query(device).expect(201);
    await other.anonymous.get(open).set('Cookie', `X-Authentication-Token=${text}`).expect(401);
    await other.anonymous.get(open).set('X-Authentication-Token', text).expect(401);
  });

  test('costs no SQL statement when it is cached', async () => {
    const token = await tokenOf('ann', 'known');
    await read(token).expect(200);
    expect(statements(await read(token).expect(200))).toBe(0);
  });

  test.each(['', 'x', '00000000-0000-8000-8000-000000000000', 'a\u00e9', "' OR true --"])(
    'answers 401 to "%s"',
    async (token) => {
      await read(token).expect(401);
    },
  );

  test('answers 401 to the id and the hash of a token', async () => {
    await tokenOf('ann', 'stored');
    const rows = await server.database.prisma.loginToken.findMany();
    expect(rows.length).toBeGreaterThan(0);
    for (const { id, hash } of rows) {
      await read(id).expect(401);
      await read(hash).expect(401);
    }
  });

  test('is not stored in the database', async () => {
    const token = await tokenOf('ann', 'hidden');
    const rows = await server.database.prisma.loginToken.findMany();
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('answers 401 when invalid, even with other valid credentials', async () => {
    await server.request.get(open).set('X-Authentication-Token', 'x').expect(200); // Basic stands before it
    await server.anonymous
      .get(open)
      .set('X-Authentication-Token', 'x')
      .query({ access_token: 'y' })
      .expect(401);
    await server.anonymous.get(open).query({ token: 'x', access_token: 'y' }).expect(401);
  });

  test('is refused after its user is deleted', async () => {
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

  test('revokes the user’s own token, and a new token differs', async () => {
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

  test('does not require a permission', async () => {
    const token = await tokenOf('ann', 'gone');
    const { permission: _, ...without } = device;
    await acquire('ann', { ...without, deviceId: 'gone', revoke: 'true' }).expect(202);
    await read(token).expect(401);
  });

  test('answers 400 with a message for a missing token', async () => {
    const token = await tokenOf('ann', 'kept');
    const { text, headers } = await revoke('bob', 'kept').expect(400);
    expect(text).toMatch(/^No token found for userName bob\b/);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    await read(token).expect(200);
  });

  test('answers 400 without its parameters', async () => {
    const { deviceId: _, ...without } = device;
    await acquire('ann', { ...without, revoke: 'true' }).expect(400);
    await acquire('ann', { ...device, deviceId: '\0', revoke: 'true' }).expect(400);
  });
});

test('§5 a token made under another TOKEN_KEY is replaced when it is requested again', async () => {
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
