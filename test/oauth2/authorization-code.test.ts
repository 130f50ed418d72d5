import { beforeAll, describe, expect, test } from '@jest/globals';
import { jwtSecret } from '../support/authentication.ts';
import { statements, useServer } from '../support/server.ts';
import { createUser } from '../support/users.ts';
import {
  challenge,
  codeFor,
  exchange,
  read,
  redirect,
  refresh,
  register,
  type Tokens,
  tokensFor,
  verifier,
} from './flow.ts';

const server = useServer({ JWT_SECRET: jwtSecret, LOGIN_FAILURES: '1000' });
beforeAll(async () => {
  for (const id of ['ann', 'bob']) await createUser(server, id);
  await register(server);
  await register(server, { clientId: 'other' });
  await register(server, { clientId: 'secretive', clientSecret: 'sesame' });
  await register(server, { clientId: 'off', enabled: false });
});

/** Expects 400 with an error of the protocol. */
const refused = async (response: PromiseLike<{ status: number; body: unknown }>, error: string) => {
  const { status, body } = await response;
  expect({ status, body }).toEqual({ status: 400, body: { error, error_description: expect.any(String) } });
};

describe('§5 POST /oauth2/token, authorization_code', () => {
  test('the answer has an access token of 32 characters, a refresh token of 64, and 3600 s of life', async () => {
    const response = await exchange(server, await codeFor(server)).expect(200);
    expect(response.body).toEqual({
      access_token: expect.stringMatching(/^[\w-]{32}$/),
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^[\w-]{64}$/),
    });
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(response.headers['cache-control']).toBe('no-store');
    await read(server, response.body.access_token).expect(200);
  });

  test('the access token authenticates the user who consented', async () => {
    const { access_token } = await tokensFor(server, 'bob');
    const { body } = await server.anonymous.get('/api/v1/me').set('Authorization', `Bearer ${access_token}`);
    expect(body).toMatchObject({ 'entity-type': 'user', id: 'bob' });
    await server.anonymous.get('/api/v1/config/types').query({ access_token }).expect(200);
  });

  test('a request with a cached access token costs no SQL statement', async () => {
    const { access_token } = await tokensFor(server);
    await read(server, access_token).expect(200);
    expect(statements(await read(server, access_token).expect(200))).toBe(0);
  });

  test('a refresh token, a code or a stored hash is refused as an access token', async () => {
    const code = await codeFor(server);
    await read(server, code).expect(401);
    const { refresh_token } = (await exchange(server, code).expect(200)).body as Tokens;
    await read(server, refresh_token).expect(401);
    const { prisma } = server.database;
    const { accessHash, accessSealed } = await prisma.oAuth2Token.findFirstOrThrow();
    await read(server, accessHash).expect(401);
    await read(server, accessSealed).expect(401);
  });

  test('the database stores neither tokens nor codes in plain text', async () => {
    const code = await codeFor(server, { state: 'x' });
    const before = await server.database.prisma.oAuth2Code.findMany();
    expect(before).not.toEqual([]);
    const tokens = (await exchange(server, code).expect(200)).body as Tokens;
    const after = await server.database.prisma.oAuth2Token.findMany();
    expect(after).not.toEqual([]);
    const rows = JSON.stringify([before, after]);
    for (const text of [code, tokens.access_token, tokens.refresh_token]) expect(rows).not.toContain(text);
  });

  const wrong: Record<string, [Record<string, string | undefined>, string]> = {
    'no grant_type': [{ grant_type: undefined }, 'invalid_request'],
    'an unknown grant_type': [{ grant_type: 'nosuch' }, 'unsupported_grant_type'],
    'the password grant, which is not served': [
      { grant_type: 'password', username: 'ann', password: 'secret' },
      'unsupported_grant_type',
    ],
    'the client credentials grant, which is not served': [
      { grant_type: 'client_credentials' },
      'unsupported_grant_type',
    ],
    'no code': [{ code: undefined }, 'invalid_request'],
    'an unknown code': [{ code: 'x' }, 'invalid_grant'],
    'no client_id': [{ client_id: undefined }, 'invalid_client'],
    'an unknown client': [{ client_id: 'nosuch' }, 'invalid_client'],
    'a client with NUL': [{ client_id: 'a\0' }, 'invalid_request'],
    'a client that is switched off': [{ client_id: 'off' }, 'invalid_client'],
    'another client': [{ client_id: 'other' }, 'invalid_grant'],
    'no redirect_uri, unlike the authorization request': [{ redirect_uri: undefined }, 'invalid_request'],
    'another redirect_uri': [{ redirect_uri: `${redirect}/` }, 'invalid_request'],
    'a verifier without a challenge': [{ code_verifier: verifier }, 'invalid_grant'],
  };

  test.each(Object.entries(wrong))(
    'a request with %s is answered 400 with the error of the protocol',
    async (_, [fields, error]) => {
      await refused(exchange(server, await codeFor(server), fields), error);
    },
  );

  test('a body that is no form is answered 400', async () => {
    const send = (type: string, body: string) =>
      server.anonymous.post('/oauth2/token').set('Content-Type', type).send(body);
    await refused(send('application/json', '{"grant_type":"refresh_token"}'), 'invalid_request');
    await refused(send('text/plain', 'grant_type=refresh_token'), 'invalid_request');
    await refused(server.anonymous.post('/oauth2/token'), 'invalid_request');
  });

  test('a parameter sent twice is answered 400', async () => {
    const body = 'client_id=app&client_id=other&grant_type=refresh_token&refresh_token=x';
    await refused(server.anonymous.post('/oauth2/token').type('form').send(body), 'invalid_request');
  });

  test('GET, PUT and DELETE are answered 405', async () => {
    for (const method of ['get', 'put', 'delete'] as const) {
      const { headers } = await server.anonymous[method]('/oauth2/token').expect(405);
      expect(headers.allow).toBe('POST');
    }
  });

  test('redirect_uri may be omitted here if the authorization request omitted it', async () => {
    const code = await codeFor(server, { redirect_uri: undefined });
    await exchange(server, code, { redirect_uri: undefined }).expect(200);
  });

  test('a code expires after ten minutes: invalid_grant', async () => {
    const code = await codeFor(server);
    const expiresAt = (await server.database.prisma.oAuth2Code.findFirstOrThrow()).expiresAt.getTime();
    expect(Math.abs(expiresAt - Date.now() - 600_000)).toBeLessThan(10_000);
    await server.database.prisma.oAuth2Code.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
    await refused(exchange(server, code), 'invalid_grant');
  });
});

describe('§5 a code works once', () => {
  test('a second use is answered invalid_grant and revokes the tokens of the first', async () => {
    const code = await codeFor(server);
    const { access_token, refresh_token } = (await exchange(server, code).expect(200)).body as Tokens;
    await read(server, access_token).expect(200);
    await refused(exchange(server, code), 'invalid_grant');
    await read(server, access_token).expect(401);
    await refused(refresh(server, refresh_token), 'invalid_grant');
  });

  test('a second use revokes refreshed tokens as well, but not those of other codes', async () => {
    const others = await tokensFor(server);
    const code = await codeFor(server);
    const first = (await exchange(server, code).expect(200)).body as Tokens;
    const second = (await refresh(server, first.refresh_token).expect(200)).body as Tokens;
    await read(server, second.access_token).expect(200);
    await refused(exchange(server, code), 'invalid_grant');
    await read(server, second.access_token).expect(401);
    await read(server, others.access_token).expect(200);
  });

  test('of several concurrent uses exactly one succeeds, and its tokens are revoked', async () => {
    const code = await codeFor(server);
    const responses = await Promise.all(Array.from({ length: 5 }, () => exchange(server, code)));
    const made = responses.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    await read(server, made[0]?.body.access_token).expect(401);
  });

  test('a use with a wrong verifier consumes the code', async () => {
    const code = await codeFor(server, { code_challenge: challenge, code_challenge_method: 'S256' });
    await refused(exchange(server, code, { code_verifier: `${verifier}x` }), 'invalid_grant');
    await refused(exchange(server, code, { code_verifier: verifier }), 'invalid_grant');
  });
});

describe('§5 PKCE', () => {
  test.each([
    ['S256', { code_challenge: challenge, code_challenge_method: 'S256' }],
    ['plain', { code_challenge: verifier, code_challenge_method: 'plain' }],
    ['plain by default', { code_challenge: verifier }],
  ])('method %s: only the matching verifier is accepted', async (_, fields) => {
    await exchange(server, await codeFor(server, fields), { code_verifier: verifier }).expect(200);
    await refused(exchange(server, await codeFor(server, fields)), 'invalid_grant');
    const other = { code_verifier: verifier.replace('a', 'b') };
    await refused(exchange(server, await codeFor(server, fields), other), 'invalid_grant');
  });

  test('method S256: the challenge itself is refused as a verifier', async () => {
    const code = await codeFor(server, { code_challenge: challenge, code_challenge_method: 'S256' });
    await refused(exchange(server, code, { code_verifier: challenge }), 'invalid_grant');
  });
});

describe('§5 a client with a secret', () => {
  const secretive = (fields = {}) => ({ client_id: 'secretive', ...fields });

  test('sends the secret in the form or as Basic credentials', async () => {
    const inForm = { client_id: 'secretive', client_secret: 'sesame' };
    await exchange(server, await codeFor(server, secretive()), inForm).expect(200);
    const code = await codeFor(server, secretive());
    await exchange(server, code, { client_id: undefined }).auth('secretive', 'sesame').expect(200);
  });

  test('is answered 400 invalid_client without the secret or with a wrong one', async () => {
    for (const client_secret of [undefined, 'wrong', 'Sesame', '']) {
      const code = await codeFor(server, secretive());
      await refused(exchange(server, code, secretive({ client_secret })), 'invalid_client');
    }
    const code = await codeFor(server, secretive());
    await refused(
      exchange(server, code, { client_id: undefined }).auth('secretive', 'wrong'),
      'invalid_client',
    );
  });

  test('is refused when it sends a PKCE verifier instead of the secret', async () => {
    const fields = secretive({ code_challenge: challenge, code_challenge_method: 'S256' });
    const code = await codeFor(server, fields);
    await refused(exchange(server, code, secretive({ code_verifier: verifier })), 'invalid_client');
  });

  test('needs the secret for refresh_token as well', async () => {
    const inForm = { client_id: 'secretive', client_secret: 'sesame' };
    const { refresh_token } = await tokensFor(server, 'ann', inForm);
    await refused(refresh(server, refresh_token, secretive()), 'invalid_client');
    await refresh(server, refresh_token, inForm).expect(200);
  });

  test('has its secret stored as an Argon2 hash', async () => {
    const rows = await server.database.prisma.oAuth2Client.findMany();
    expect(JSON.stringify(rows)).not.toContain('sesame');
    expect(rows.find(({ clientId }) => clientId === 'secretive')?.secretHash).toMatch(/^\$argon2id/);
  });
});
