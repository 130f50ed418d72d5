import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, jest, test } from '@jest/globals';
import { jwtSecret } from '../../support/authentication.ts';
import { startServer, statements, useServer } from '../../support/server.ts';
import { createUser, deleteUser, useUsers } from '../../support/users.ts';

const server = useServer({ JWT_SECRET: jwtSecret, LOGIN_FAILURES: '1000' });
useUsers(server, 'ann');

const open = '/api/v1/config/types';
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = (): number => Math.floor(Date.now() / 1000);
const digests = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' } as const;

/** Signs a token by hand, as an independent program would. */
function jwt(claims: unknown, { alg = 'HS512', secret = jwtSecret, head = {} } = {}): string {
  const content = `${base64({ alg, typ: 'JWT', ...head })}.${base64(claims)}`;
  const digest = digests[alg as keyof typeof digests] ?? 'sha512';
  return `${content}.${createHmac(digest, secret).update(content).digest('base64url')}`;
}

const read = (token: string, path = open) =>
  server.anonymous.get(path).set('Authorization', `Bearer ${token}`);
const lasting = () => ({ sub: 'ann', exp: now() + 60 });

describe('§5 JWT', () => {
  test.each(Object.keys(digests))('is accepted when signed with %s', async (alg) => {
    await read(jwt(lasting(), { alg })).expect(200);
  });

  test('is accepted as a query parameter, and with the scheme in any letter case', async () => {
    await server.anonymous
      .get(open)
      .query({ access_token: jwt(lasting()) })
      .expect(200);
    await server.anonymous
      .get(open)
      .set('Authorization', `bearer ${jwt(lasting())}`)
      .expect(200);
  });

  test('authenticates the user in sub', async () => {
    const response = await read(jwt({ sub: 'Administrator', exp: now() + 60 }), '/api/v1/path/');
    expect(response.status).toBe(200);
    await read(jwt(lasting()), '/metrics').expect(403);
  });

  test('costs no SQL statement when it is cached', async () => {
    const token = jwt(lasting());
    await read(token).expect(200);
    expect(statements(await read(token).expect(200))).toBe(0);
  });

  test('is accepted with any iss', async () => {
    await read(jwt({ ...lasting(), iss: 'somebody else' })).expect(200);
  });

  test('expires one hour after iat without exp', async () => {
    await read(jwt({ sub: 'ann', iat: now() - 3_590 })).expect(200);
    await read(jwt({ sub: 'ann', iat: now() - 3_610 })).expect(401);
    await read(jwt({ sub: 'ann', iat: now() })).expect(200);
  });

  const refused: Record<string, () => string> = {
    'neither exp nor iat': () => jwt({ sub: 'ann' }),
    'an iat of tomorrow without exp': () => jwt({ sub: 'ann', iat: now() + 86_400 }),
    expired: () => jwt({ sub: 'ann', exp: now() - 1 }),
    'expired, though issued just now': () => jwt({ sub: 'ann', iat: now(), exp: now() - 1 }),
    'not valid yet (nbf)': () => jwt({ ...lasting(), nbf: now() + 600 }),
    'an exp that is text': () => jwt({ sub: 'ann', exp: String(now() + 60) }),
    'no sub': () => jwt({ exp: now() + 60 }),
    'an empty sub': () => jwt({ ...lasting(), sub: '' }),
    'a sub that is no text': () => jwt({ ...lasting(), sub: ['ann'] }),
    'a sub with NUL': () => jwt({ ...lasting(), sub: 'ann\0' }),
    'an unknown user as sub': () => jwt({ ...lasting(), sub: 'nobody' }),
    'claims that are no object': () => jwt('ann'),
    'another secret': () => jwt(lasting(), { secret: `${jwtSecret}x` }),
    'an empty secret': () => jwt(lasting(), { secret: '' }),
    'no signature': () => jwt(lasting()).replace(/[^.]*$/, ''),
    'the algorithm none': () => `${base64({ alg: 'none' })}.${base64(lasting())}.`,
    'the algorithm none, signed': () => jwt(lasting(), { alg: 'none' }),
    'an algorithm of another case': () => jwt(lasting(), { alg: 'hs512' }),
    'a digest that is not the named one': () => jwt(lasting(), { head: { alg: 'HS256' } }),
    'an unknown critical extension': () => jwt(lasting(), { head: { crit: ['x'], x: 1 } }),
    'no JSON': () => 'a.b.c',
    'empty parts': () => '..',
  };

  test.each(Object.entries(refused))('is refused with 401: %s', async (_, make) => {
    const { headers } = await read(make()).expect(401);
    expect(headers['www-authenticate']).toMatch(/^Basic /);
  });

  test('is refused with 401 when signed with a key pair', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const content = `${base64({ alg: 'RS256' })}.${base64(lasting())}`;
    const signature = sign('sha256', Buffer.from(content), privateKey).toString('base64url');
    await read(`${content}.${signature}`).expect(401);
  });

  test('is refused with 401 when any part is changed', async () => {
    const parts = jwt(lasting()).split('.');
    for (const index of [0, 1, 2]) {
      const changed = parts.map((part, at) => {
        if (at !== index) return part;
        return `${part.startsWith('A') ? 'B' : 'A'}${part.slice(1)}`;
      });
      expect(changed).not.toEqual(parts);
      await read(changed.join('.')).expect(401);
    }
  });

  test('is refused with 401 when it has four parts', async () => {
    await read(`${jwt(lasting())}.x`).expect(401);
  });

  test('expires at exp even when it is cached', async () => {
    const exp = now() + 60;
    const token = jwt({ sub: 'ann', exp });
    await read(token).expect(200);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(exp * 1000);
    await read(token)
      .expect(401)
      .then(() => {})
      .finally(() => clock.mockRestore());
  });

  test('is refused after its user is deleted', async () => {
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
  ])('%j answers %i', async (aud, status) => {
    await read(jwt({ ...lasting(), aud })).expect(status);
  });

  test('is checked for each request, even when the token is cached', async () => {
    const token = jwt({ ...lasting(), aud: 'api/v1/config/types/File' });
    await read(token, '/api/v1/config/types/File?pretty=true').expect(200);
    await read(token).expect(401);
    await read(token, '/api/v1/config/types/Folder').expect(401);
    await read(token, '/api/v1/config/types/File').expect(200);
  });

  test('is relative to the context path', async () => {
    await using own = await startServer({ JWT_SECRET: jwtSecret, CONTEXT_PATH: '/nuxeo' });
    const token = (aud: string) => `Bearer ${jwt({ sub: 'Administrator', exp: now() + 60, aud })}`;
    const get = (aud: string) => own.anonymous.get(`/nuxeo${open}`).set('Authorization', token(aud));
    await get('api/v1').expect(200);
    await get('nuxeo/api/v1').expect(401);
  });
});

describe('§5 JWT_SECRET', () => {
  test('is required: without it every JWT is refused', async () => {
    await using own = await startServer();
    for (const secret of ['', 'undefined', jwtSecret]) {
      const authorization = `Bearer ${jwt({ sub: 'Administrator', exp: now() + 60 }, { secret })}`;
      await own.anonymous.get(open).set('Authorization', authorization).expect(401);
    }
  });

  test('may have any length; below 32 bytes the server logs a warning', async () => {
    for (const [secret, warnings] of [
      ['x', 1],
      ['x'.repeat(31), 1],
      ['x'.repeat(32), 0],
    ] as const) {
      await using own = await startServer({ JWT_SECRET: secret });
      const authorization = `Bearer ${jwt({ sub: 'Administrator', exp: now() + 60 }, { secret })}`;
      await own.anonymous.get(open).set('Authorization', authorization).expect(200);
      const told = own.logged.filter(({ msg }) => String(msg).includes('JWT_SECRET'));
      expect(told).toHaveLength(warnings);
    }
  });
});

describe('§5 the mutation createJwt', () => {
  const ask = async (query: string) =>
    (await server.request.post('/graphql').send({ query }).expect(200)).body;

  test('returns a JWT for a user, a lifetime and an audience', async () => {
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

  test('returns a JWT for one hour without audience by default', async () => {
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
  ])('%s fails with %s', async (field, code) => {
    const { errors } = await ask(`mutation { ${field} }`);
    expect(errors).toEqual([expect.objectContaining({ extensions: { code } })]);
  });
});
