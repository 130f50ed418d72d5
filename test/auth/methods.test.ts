import { beforeAll, describe, expect, test } from '@jest/globals';
import { countPasswordHashes, hashPassword } from '../../src/store/authorities/passwords.ts';
import { startServer, statements, useServer } from '../support/server.ts';

const address = '/api/v1/path/default-domain';

/** Users of the database who are no administrators, each with a password of another kind. */
const users = {
  alice: 'secret',
  'bob@example.com': 'with:colons::inside:',
  'Žofie Ünal': 'pässwörd 🗝 \u200d',
  blank: '',
  spaced: ' around ',
};

const server = useServer({ LOGIN_FAILURES: '10000' }); // the limit is tested in login-attempts.test.ts
beforeAll(async () => {
  for (const [id, password] of Object.entries(users)) {
    await server.database.prisma.user.create({ data: { id, passwordHash: await hashPassword(password) } });
  }
  await server.database.prisma.user.create({ data: { id: 'nopassword', passwordHash: null } });
});

const base64 = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('base64');
const get = (authorization: string) => server.anonymous.get(address).set('Authorization', authorization);

describe('§5 no valid credentials', () => {
  test('a request without credentials is answered 401 with WWW-Authenticate', async () => {
    const response = await server.anonymous.get(address).expect(401);
    expect(response.headers['www-authenticate']).toMatch(/^Basic realm="[^"]+"/);
    expect(response.body).toMatchObject({ 'entity-type': 'exception', status: 401 });
    expect(response.body.requestId).toBe(response.headers['x-request-id']);
    expect(statements(response)).toBe(0);
  });

  test.each([
    ['X-No-Basic-Header', 'true'],
    ['X-Requested-With', 'XMLHttpRequest'],
    ['X-Authentication-Token', 'unknown'],
    ['Cookie', 'JSESSIONID=1'],
  ])('%s omits WWW-Authenticate', async (name, value) => {
    for (const asked of [server.anonymous.get(address), get('Basic !!!')]) {
      const response = await asked.set(name, value).expect(401);
      expect(response.headers).not.toHaveProperty('www-authenticate');
      expect(response.body).toMatchObject({ 'entity-type': 'exception', status: 401 });
    }
  });

  const refused = {
    'a wrong password': `Basic ${base64('Administrator:wrong')}`,
    'an unknown user': `Basic ${base64('nobody:Administrator')}`,
    'a user in another case': `Basic ${base64('administrator:Administrator')}`,
    'a user without a password': `Basic ${base64('nopassword:')}`,
    'the password behind the hash for unknown users': `Basic ${base64('nobody:a password that nobody has')}`,
    'an empty password': `Basic ${base64('Administrator:')}`,
    'no user': `Basic ${base64(':Administrator')}`,
    'no colon': `Basic ${base64('Administrator')}`,
    'no credentials': 'Basic ',
    'no Base64': 'Basic !!!',
    'a NUL in the name': `Basic ${base64('Administrator\0:Administrator')}`,
    'bytes that are no UTF-8': `Basic ${base64('ff3aff', 'hex')}`,
    'Latin-1 instead of UTF-8': `Basic ${base64('Administrator:pässwörd', 'latin1')}`,
    'the scheme alone': 'Basic',
    'another scheme': 'Digest username="Administrator"',
    'an unknown OAuth token': 'Bearer abc',
    'a malformed JWT': 'Bearer a.b.c',
    'credentials without a scheme': base64('Administrator:Administrator'),
    'a very long password': `Basic ${base64(`Administrator:${'x'.repeat(10_000)}`)}`,
  };

  test.each(Object.entries(refused))('%s is answered 401', async (_, authorization) => {
    const response = await get(authorization).expect(401);
    expect(response.headers['www-authenticate']).toMatch(/^Basic /);
    expect(response.body).toMatchObject({ 'entity-type': 'exception', status: 401 });
  });

  test('an unknown login token is answered 401', async () => {
    await server.anonymous.get(address).set('X-Authentication-Token', 'abc').expect(401);
  });

  test('an unknown user and a wrong password get equal answers for equal statements', async () => {
    const unknown = await get(refused['an unknown user']).expect(401);
    const wrong = await get(refused['a wrong password']).expect(401);
    const without = (body: Record<string, unknown>) => ({ ...body, requestId: undefined });
    expect(without(unknown.body)).toEqual(without(wrong.body));
    const told = ({ headers }: typeof unknown) =>
      Object.keys(headers)
        .filter((name) => name !== 'connection')
        .sort();
    expect(told(unknown)).toEqual(told(wrong));
    expect(statements(unknown)).toBe(statements(wrong));
  });

  test.each(['Administrator', 'nobody-at-all', 'nopassword'])(
    'a wrong password of %s costs one hash',
    async (user) => {
      const before = countPasswordHashes();
      await get(`Basic ${base64(`${user}:wrong`)}`).expect(401);
      expect(countPasswordHashes() - before).toBe(1);
    },
  );

  test.each([
    '/api/v1/config/types',
    '/api/v1/nosuch',
    '/site/api/v1/path/',
    '/api/v1/repo/nosuch/path/',
    '/graphql',
  ])('%s is answered 401 before anything else is checked', async (path) => {
    await server.anonymous.get(path).expect(401);
  });

  test('a write without credentials has no effect', async () => {
    await server.anonymous.delete(address).expect(401);
    await server.request.get(address).expect(200);
  });
});

describe('§5 Basic', () => {
  test.each(['Basic', 'basic', 'BASIC'])('the scheme %s is accepted', async (scheme) => {
    await get(`${scheme} ${base64('Administrator:Administrator')}`).expect(200);
  });

  test.each(Object.entries(users))('user %s with password "%s" is authenticated', async (id, password) => {
    // 403: authenticated, but without a permission.
    await get(`Basic ${base64(`${id}:${password}`)}`).expect(403);
    await get(`Basic ${base64(`${id}:${password}x`)}`).expect(401);
  });

  test('a user in the query string is ignored', async () => {
    const response = await get(`Basic ${base64('alice:secret')}`).query({ user: 'Administrator' });
    expect(response.status).toBe(403);
  });
});

describe('§5 the cache of verified passwords', () => {
  test('saves one statement from the second request on', async () => {
    await using own = await startServer();
    const first = await own.request.get(address).expect(200);
    const second = await own.request.get(address).expect(200);
    expect(statements(second)).toBe(statements(first) - 1);
    expect(statements(second)).toBe(1);
  });

  test('does not contain wrong passwords', async () => {
    const wrong = `Basic ${base64('Administrator:nonsense')}`;
    for (let index = 0; index < 3; index += 1) {
      expect(statements(await get(wrong).expect(401))).toBe(1);
      await get(`Basic ${base64('Administrator:Administrator')}`).expect(200);
    }
  });

  test('does not accept the cached password of another user', async () => {
    await get(`Basic ${base64('alice:secret')}`).expect(403);
    await get(`Basic ${base64('nopassword:secret')}`).expect(401);
    // The cache key is not the plain concatenation of name and password.
    await get(`Basic ${base64('alic:esecret')}`).expect(401);
  });
});

describe('§5 users who are not administrators', () => {
  test.each([
    ['get', '/api/v1/path/'],
    ['get', '/api/v1/path/default-domain/@children'],
    ['head', '/api/v1/path/'],
    ['delete', '/api/v1/path/default-domain'],
  ] as const)('%s %s is answered 403 without a grant', async (method, path) => {
    const response = await server.anonymous[method](path).auth('alice', 'secret').expect(403);
    if (method === 'head') return;
    expect(response.body).toMatchObject({ 'entity-type': 'exception', status: 403 });
    expect(response.headers).not.toHaveProperty('www-authenticate');
  });

  test('a missing document is answered 404', async () => {
    await server.anonymous.get('/api/v1/path/nosuch').auth('alice', 'secret').expect(404);
  });

  test('the configuration is readable', async () => {
    await server.anonymous.get('/api/v1/config/types').auth('alice', 'secret').expect(200);
    await server.anonymous.get('/api/v1/config/types/nosuch').auth('alice', 'secret').expect(204);
  });

  test('a refused write has no effect', async () => {
    const body = { 'entity-type': 'document', type: 'Folder', name: 'mine' };
    await server.anonymous.post('/api/v1/path/').auth('alice', 'secret').send(body).expect(403);
    await server.request.get('/api/v1/path/mine').expect(404);
  });

  test('the administrator has the name and password of the settings', async () => {
    await using own = await startServer({ ADMIN_USERNAME: 'root', ADMIN_PASSWORD: 'toor' });
    await own.anonymous.get(address).auth('root', 'toor').expect(200);
    await own.anonymous.get(address).auth('root', 'Administrator').expect(401);
  });
});
