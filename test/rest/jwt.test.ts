import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { jwtSecret } from '../support/authentication.ts';
import { start, statements, type TestServer } from '../support/server.ts';
import { createUser, deleteUser } from '../support/users.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start({ JWT_SECRET: jwtSecret, LOGIN_FAILURES: '1000' });
  await createUser(server, 'ann');
});
afterAll(() => server.stop());

const open = '/api/v1/config/types';
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = (): number => Math.floor(Date.now() / 1000);
const digests = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const;

/** Made by hand, as somebody else's program would. */
function jwt(claims: unknown, { alg = 'HS512', secret = jwtSecret, head = {} } = {}): string {
  const content = `${base64({ alg, typ: 'JWT', ...head })}.${base64(claims)}`;
  const digest = digests[alg as keyof typeof digests] ?? 'sha512';
  return `${content}.${createHmac(digest, secret).update(content).digest('base64url')}`;
}

const read = (token: string, path = open) =>
  server.anonymous.get(path).set('Authorization', `Bearer ${token}`);
const lasting = () => ({ sub: 'ann', exp: now() + 60 });

describe('§5 JWT', () => {
  test.each(Object.keys(digests))('signed with %s counts', async (alg) => {
    await read(jwt(lasting(), { alg })).expect(200);
  });

  test('counts in the query too, and the scheme in any case', async () => {
    await server.anonymous
      .get(open)
      .query({ access_token: jwt(lasting()) })
      .expect(200);
    await server.anonymous
      .get(open)
      .set('Authorization', `bearer ${jwt(lasting())}`)
      .expect(200);
  });

  test('is the user in sub', async () => {
    const response = await read(jwt({ sub: 'Administrator', exp: now() + 60 }), '/api/v1/path/');
    expect(response.status).toBe(200);
    await read(jwt(lasting()), '/metrics').expect(403);
  });

  test('costs no statement once it is known', async () => {
    const token = jwt(lasting());
    await read(token).expect(200);
    expect(statements(await read(token).expect(200))).toBe(0);
  });

  test('iss is not checked', async () => {
    await read(jwt({ ...lasting(), iss: 'somebody else' })).expect(200);
  });

  test('without exp counts for one hour after iat', async () => {
    await read(jwt({ sub: 'ann', iat: now() - 3_590 })).expect(200);
    await read(jwt({ sub: 'ann', iat: now() - 3_610 })).expect(401);
    await read(jwt({ sub: 'ann', iat: now() })).expect(200);
  });

  const refused: Record<string, () => string> = {
    'neither exp nor iat': () => jwt({ sub: 'ann' }),
    'an iat of tomorrow instead of an exp': () => jwt({ sub: 'ann', iat: now() + 86_400 }),
    over: () => jwt({ sub: 'ann', exp: now() - 1 }),
    'over, though made just now': () => jwt({ sub: 'ann', iat: now(), exp: now() - 1 }),
    'not begun (nbf)': () => jwt({ ...lasting(), nbf: now() + 600 }),
    'an exp that is text': () => jwt({ sub: 'ann', exp: String(now() + 60) }),
    'no sub': () => jwt({ exp: now() + 60 }),
    'an empty sub': () => jwt({ ...lasting(), sub: '' }),
    'a sub that is no text': () => jwt({ ...lasting(), sub: ['ann'] }),
    'a sub with NUL': () => jwt({ ...lasting(), sub: 'ann\0' }),
    'a sub nobody has': () => jwt({ ...lasting(), sub: 'nobody' }),
    'claims that are no object': () => jwt('ann'),
    'another secret': () => jwt(lasting(), { secret: `${jwtSecret}x` }),
    'an empty secret': () => jwt(lasting(), { secret: '' }),
    'no signature': () => jwt(lasting()).replace(/[^.]*$/, ''),
    'the algorithm none': () => `${base64({ alg: 'none' })}.${base64(lasting())}.`,
    'the algorithm none, signed': () => jwt(lasting(), { alg: 'none' }),
    'an algorithm of another case': () => jwt(lasting(), { alg: 'hs512' }),
    'a digest that is not the named one': () => jwt(lasting(), { head: { alg: 'HS256' } }),
    'a critical extension nobody knows': () => jwt(lasting(), { head: { crit: ['x'], x: 1 } }),
    'no JSON': () => 'a.b.c',
    'empty parts': () => '..',
  };

  test.each(Object.entries(refused))('%s: 401', async (_, make) => {
    const { headers } = await read(make()).expect(401);
    expect(headers['www-authenticate']).toMatch(/^Basic /);
  });

  test('signed with a key pair: 401', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const content = `${base64({ alg: 'RS256' })}.${base64(lasting())}`;
    const signature = sign('sha256', Buffer.from(content), privateKey).toString('base64url');
    await read(`${content}.${signature}`).expect(401);
  });

  test('a change of any part: 401', async () => {
    const parts = jwt(lasting()).split('.');
    for (const index of [0, 1, 2]) {
      const changed = parts.map((part, at) => (at === index ? `A${part.slice(1)}` : part));
      expect(changed).not.toEqual(parts);
      await read(changed.join('.')).expect(401);
    }
  });

  test('four parts are no JWT, and no OAuth token either', async () => {
    await read(`${jwt(lasting())}.x`).expect(401);
  });

  test('ends when it says so, though it is known', async () => {
    const token = jwt({ sub: 'ann', exp: now() + 2 });
    await read(token).expect(200);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    await read(token).expect(401);
  });

  test('ends with its user', async () => {
    await createUser(server, 'leaver');
    const token = jwt({ ...lasting(), sub: 'leaver' });
    await read(token).expect(200);
    await deleteUser(server, 'leaver');
    await read(token).expect(401);
  });
});

describe('§5 aud of a JWT', () => {
  test.each([
    ['api/v1', 200],
    ['/api/v1/', 200],
    ['api', 200],
    ['api/v1/config', 200],
    ['api/v1/config/types', 200],
    ['api/v1/config/types/', 200],
    ['', 200],
    [['nosuch', 'api/v1'], 200],
    ['api/v1/config/type', 401],
    ['api/v1/config/types/File', 401],
    ['api/v', 401],
    ['API/v1', 401],
    ['config', 401],
    ['site/api/v1', 401],
    ['nuxeo/api/v1', 401],
    [['nosuch'], 401],
    [[], 401],
  ])('%j: %i', async (aud, status) => {
    await read(jwt({ ...lasting(), aud })).expect(status);
  });

  test('counts for each request, though the token is known', async () => {
    const token = jwt({ ...lasting(), aud: 'api/v1/config/types/File' });
    await read(token, '/api/v1/config/types/File?pretty=true').expect(200);
    await read(token).expect(401);
    await read(token, '/api/v1/config/types/Folder').expect(401);
    await read(token, '/api/v1/config/types/File').expect(200);
  });

  test('is counted from the application context on', async () => {
    const own = await start({ JWT_SECRET: jwtSecret, CONTEXT_PATH: '/nuxeo' });
    try {
      const token = (aud: string) => `Bearer ${jwt({ sub: 'Administrator', exp: now() + 60, aud })}`;
      const get = (aud: string) => own.anonymous.get(`/nuxeo${open}`).set('Authorization', token(aud));
      await get('api/v1').expect(200);
      await get('nuxeo/api/v1').expect(401);
    } finally {
      await own.stop();
    }
  });
});

describe('§5 JWT_SECRET', () => {
  test('absent: there are no JWTs, whatever signs them', async () => {
    const own = await start();
    try {
      for (const secret of ['', 'undefined', jwtSecret]) {
        const authorization = `Bearer ${jwt({ sub: 'Administrator', exp: now() + 60 }, { secret })}`;
        await own.anonymous.get(open).set('Authorization', authorization).expect(401);
      }
    } finally {
      await own.stop();
    }
  });

  test('may have any length; below 32 bytes there is a warning', async () => {
    for (const [secret, warnings] of [
      ['x', 1],
      ['x'.repeat(31), 1],
      ['x'.repeat(32), 0],
    ] as const) {
      const own = await start({ JWT_SECRET: secret });
      try {
        const authorization = `Bearer ${jwt({ sub: 'Administrator', exp: now() + 60 }, { secret })}`;
        await own.anonymous.get(open).set('Authorization', authorization).expect(200);
        const told = own.logged.filter(({ msg }) => String(msg).includes('JWT_SECRET'));
        expect(told).toHaveLength(warnings);
      } finally {
        await own.stop();
      }
    }
  });
});

describe('§5 a JWT of our own', () => {
  const ask = async (query: string) =>
    (await server.request.post('/graphql').send({ query }).expect(200)).body;

  test('is made by createJwt, for a user, a time and a path', async () => {
    const { data } = await ask('mutation { createJwt(username: "ann", seconds: 90, audience: "api/v1") }');
    const [head, claims] = data.createJwt
      .split('.')
      .slice(0, 2)
      .map((part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    expect(head).toMatchObject({ alg: 'HS512' });
    expect(claims).toMatchObject({ sub: 'ann', aud: 'api/v1' });
    expect(claims.exp - claims.iat).toBe(90);
    await read(data.createJwt).expect(200);
    await read(data.createJwt, '/metrics').expect(401);
  });

  test('counts for an hour, everywhere, when nothing else is said', async () => {
    const { data } = await ask('mutation { createJwt(username: "Administrator") }');
    const claims = JSON.parse(Buffer.from(data.createJwt.split('.')[1], 'base64url').toString());
    expect(claims.exp - claims.iat).toBe(3600);
    expect(claims).not.toHaveProperty('aud');
    await read(data.createJwt, '/metrics').expect(200);
  });

  test.each([
    ['createJwt(username: "nobody")', 'NOT_FOUND'],
    ['createJwt(username: "ann", seconds: 0)', 'INVALID'],
    ['createJwt(username: "ann", seconds: -1)', 'INVALID'],
    ['createJwt(username: "ann", seconds: 1e12)', 'INVALID'],
  ])('%s: %s', async (field, code) => {
    const { errors } = await ask(`mutation { ${field} }`);
    expect(errors).toEqual([expect.objectContaining({ extensions: { code } })]);
  });
});
