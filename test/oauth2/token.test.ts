import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signJwt } from '../../src/auth/jwt.ts';
import { jwtSecret } from '../support/authentication.ts';
import { start, statements, type TestServer } from '../support/server.ts';
import { createUser, deleteUser } from '../support/users.ts';
import {
  ask,
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

let server: TestServer;
let clients: Record<'app' | 'other' | 'secretive' | 'off', number>;
beforeAll(async () => {
  server = await start({ JWT_SECRET: jwtSecret, LOGIN_FAILURES: '1000' });
  for (const id of ['ann', 'bob']) await createUser(server, id);
  clients = {
    app: (await register(server)).id,
    other: (await register(server, { clientId: 'other' })).id,
    secretive: (await register(server, { clientId: 'secretive', clientSecret: 'sesame' })).id,
    off: (await register(server, { clientId: 'off', enabled: false })).id,
  };
});
afterAll(() => server.stop());

/** Says that the answer is an error of the protocol. */
const refused = async (response: PromiseLike<{ status: number; body: unknown }>, error: string) => {
  const { status, body } = await response;
  expect({ status, body }).toEqual({ status: 400, body: { error, error_description: expect.any(String) } });
};

describe('§5 POST /oauth2/token, authorization_code', () => {
  test('gives an access token of 32 letters and a refresh token of 64, for an hour', async () => {
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

  test('the token is the user who consented', async () => {
    const { access_token } = await tokensFor(server, 'bob');
    const { body } = await server.anonymous.get('/api/v1/me').set('Authorization', `Bearer ${access_token}`);
    expect(body).toMatchObject({ 'entity-type': 'user', id: 'bob' });
    await server.anonymous.get('/api/v1/config/types').query({ access_token }).expect(200);
  });

  test('costs no statement once it is known', async () => {
    const { access_token } = await tokensFor(server);
    await read(server, access_token).expect(200);
    expect(statements(await read(server, access_token).expect(200))).toBe(0);
  });

  test('a refresh token is no access token, nor is a code or a hash', async () => {
    const code = await codeFor(server);
    await read(server, code).expect(401);
    const { refresh_token } = (await exchange(server, code)).body as Tokens;
    await read(server, refresh_token).expect(401);
    const rows = await server.database.prisma.oAuth2Token.findMany();
    for (const { accessHash, accessSealed } of rows.slice(-1)) {
      await read(server, accessHash).expect(401);
      await read(server, accessSealed).expect(401);
    }
  });

  test('neither tokens nor codes are in the database as they are', async () => {
    const code = await codeFor(server, { state: 'x' });
    const before = await server.database.prisma.oAuth2Code.findMany();
    const tokens = (await exchange(server, code)).body as Tokens;
    const rows = JSON.stringify([before, await server.database.prisma.oAuth2Token.findMany()]);
    for (const text of [code, tokens.access_token, tokens.refresh_token]) expect(rows).not.toContain(text);
  });

  const wrong: Record<string, [Record<string, string | undefined>, string]> = {
    'no grant_type': [{ grant_type: undefined }, 'invalid_request'],
    'a grant_type nobody knows': [{ grant_type: 'nosuch' }, 'unsupported_grant_type'],
    'the password grant, which is not served': [
      { grant_type: 'password', username: 'ann', password: 'secret' },
      'unsupported_grant_type',
    ],
    'the client credentials grant, likewise': [
      { grant_type: 'client_credentials' },
      'unsupported_grant_type',
    ],
    'no code': [{ code: undefined }, 'invalid_request'],
    'a code nobody got': [{ code: 'x' }, 'invalid_grant'],
    'no client_id': [{ client_id: undefined }, 'invalid_client'],
    'a client nobody registered': [{ client_id: 'nosuch' }, 'invalid_client'],
    'a client with NUL': [{ client_id: 'a\0' }, 'invalid_request'],
    'a client that is switched off': [{ client_id: 'off' }, 'invalid_client'],
    'another client': [{ client_id: 'other' }, 'invalid_grant'],
    'no redirect_uri, though there was one': [{ redirect_uri: undefined }, 'invalid_request'],
    'another redirect_uri': [{ redirect_uri: `${redirect}/` }, 'invalid_request'],
    'a verifier, though there was no challenge': [{ code_verifier: verifier }, 'invalid_grant'],
  };

  test.each(Object.entries(wrong))('%s: 400 and the error of the protocol', async (_, [fields, error]) => {
    await refused(exchange(server, await codeFor(server), fields), error);
  });

  test('a body that is no form: 400', async () => {
    const send = (type: string, body: string) =>
      server.anonymous.post('/oauth2/token').set('Content-Type', type).send(body);
    await refused(send('application/json', '{"grant_type":"refresh_token"}'), 'invalid_request');
    await refused(send('text/plain', 'grant_type=refresh_token'), 'invalid_request');
    await refused(server.anonymous.post('/oauth2/token'), 'invalid_request');
  });

  test('a parameter given twice: 400', async () => {
    const body = 'client_id=app&client_id=other&grant_type=refresh_token&refresh_token=x';
    await refused(server.anonymous.post('/oauth2/token').type('form').send(body), 'invalid_request');
  });

  test('GET, and any other verb: 405', async () => {
    for (const method of ['get', 'put', 'delete'] as const) {
      const { headers } = await server.anonymous[method]('/oauth2/token').expect(405);
      expect(headers.allow).toBe('POST');
    }
  });

  test('a redirect_uri that was left out is left out here too', async () => {
    const code = await codeFor(server, { redirect_uri: undefined });
    await exchange(server, code, { redirect_uri: undefined }).expect(200);
  });

  test('a code that is over: invalid_grant', async () => {
    const code = await codeFor(server);
    const expiresAt = (await server.database.prisma.oAuth2Code.findFirstOrThrow()).expiresAt.getTime();
    expect(Math.abs(expiresAt - Date.now() - 600_000)).toBeLessThan(10_000);
    await server.database.prisma.oAuth2Code.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
    await refused(exchange(server, code), 'invalid_grant');
  });
});

describe('§5 a code works once', () => {
  test('its second use is invalid_grant, and revokes the tokens made from it', async () => {
    const code = await codeFor(server);
    const { access_token, refresh_token } = (await exchange(server, code).expect(200)).body as Tokens;
    await read(server, access_token).expect(200);
    await refused(exchange(server, code), 'invalid_grant');
    await read(server, access_token).expect(401);
    await refused(refresh(server, refresh_token), 'invalid_grant');
  });

  test('so too when they were replaced meanwhile, and no others', async () => {
    const others = await tokensFor(server);
    const code = await codeFor(server);
    const first = (await exchange(server, code).expect(200)).body as Tokens;
    const second = (await refresh(server, first.refresh_token).expect(200)).body as Tokens;
    await read(server, second.access_token).expect(200);
    await refused(exchange(server, code), 'invalid_grant');
    await read(server, second.access_token).expect(401);
    await read(server, others.access_token).expect(200);
  });

  test('of several uses at once, at most one counts, and what it made is revoked', async () => {
    const code = await codeFor(server);
    const responses = await Promise.all(Array.from({ length: 5 }, () => exchange(server, code)));
    const made = responses.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    await read(server, made[0]?.body.access_token).expect(401);
  });

  test('a wrong verifier uses it up', async () => {
    const code = await codeFor(server, { code_challenge: challenge, code_challenge_method: 'S256' });
    await refused(exchange(server, code, { code_verifier: `${verifier}x` }), 'invalid_grant');
    await refused(exchange(server, code, { code_verifier: verifier }), 'invalid_grant');
  });
});

describe('§5 PKCE', () => {
  test.each([
    ['S256', { code_challenge: challenge, code_challenge_method: 'S256' }],
    ['plain', { code_challenge: verifier, code_challenge_method: 'plain' }],
    ['plain, unsaid', { code_challenge: verifier }],
  ])('%s: the verifier is needed, and does', async (_, fields) => {
    await exchange(server, await codeFor(server, fields), { code_verifier: verifier }).expect(200);
    await refused(exchange(server, await codeFor(server, fields)), 'invalid_grant');
    const other = { code_verifier: verifier.replace('a', 'b') };
    await refused(exchange(server, await codeFor(server, fields), other), 'invalid_grant');
  });

  test('the challenge itself is no verifier where it is a hash', async () => {
    const code = await codeFor(server, { code_challenge: challenge, code_challenge_method: 'S256' });
    await refused(exchange(server, code, { code_verifier: challenge }), 'invalid_grant');
  });
});

describe('§5 a client with a secret', () => {
  const secretive = (fields = {}) => ({ client_id: 'secretive', ...fields });

  test('shows it in the form, or by Basic', async () => {
    const inForm = { client_id: 'secretive', client_secret: 'sesame' };
    await exchange(server, await codeFor(server, secretive()), inForm).expect(200);
    const code = await codeFor(server, secretive());
    await exchange(server, code, { client_id: undefined }).auth('secretive', 'sesame').expect(200);
  });

  test('cannot do without it, or with another: invalid_client, 400', async () => {
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

  test('cannot do without it by bringing a verifier', async () => {
    const fields = secretive({ code_challenge: challenge, code_challenge_method: 'S256' });
    const code = await codeFor(server, fields);
    await refused(exchange(server, code, secretive({ code_verifier: verifier })), 'invalid_client');
  });

  test('needs it to refresh, too', async () => {
    const inForm = { client_id: 'secretive', client_secret: 'sesame' };
    const { refresh_token } = await tokensFor(server, 'ann', inForm);
    await refused(refresh(server, refresh_token, secretive()), 'invalid_client');
    await refresh(server, refresh_token, inForm).expect(200);
  });

  test('is stored as a hash', async () => {
    const rows = await server.database.prisma.oAuth2Client.findMany();
    expect(JSON.stringify(rows)).not.toContain('sesame');
    expect(rows.find(({ clientId }) => clientId === 'secretive')?.secretHash).toMatch(/^\$argon2id/);
  });
});

describe('§5 POST /oauth2/token, refresh_token', () => {
  test('replaces both tokens', async () => {
    const before = await tokensFor(server);
    await read(server, before.access_token).expect(200);
    const after = (await refresh(server, before.refresh_token).expect(200)).body as Tokens;
    expect(after).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(after.access_token).not.toBe(before.access_token);
    expect(after.refresh_token).not.toBe(before.refresh_token);
    await read(server, before.access_token).expect(401);
    await read(server, after.access_token).expect(200);
    await refused(refresh(server, before.refresh_token), 'invalid_grant');
    await read(server, after.access_token).expect(200);
  });

  test('of several at once one counts', async () => {
    const { refresh_token } = await tokensFor(server);
    const responses = await Promise.all(Array.from({ length: 5 }, () => refresh(server, refresh_token)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });

  test('by another client, without one, or unknown: refused', async () => {
    const { refresh_token, access_token } = await tokensFor(server);
    await refused(refresh(server, refresh_token, { client_id: 'other' }), 'invalid_grant');
    await refused(refresh(server, refresh_token, { client_id: undefined }), 'invalid_client');
    await refused(refresh(server, 'x'), 'invalid_grant');
    await refused(ask(server, { grant_type: 'refresh_token' }), 'invalid_request');
    await refused(refresh(server, access_token), 'invalid_grant');
    await refresh(server, refresh_token).expect(200);
  });

  test('still counts when the access token is over', async () => {
    const { refresh_token, access_token } = await tokensFor(server);
    await read(server, access_token).expect(200);
    const createdAt = new Date(Date.now() - 3_601_000);
    await server.database.transaction(10, async ({ prisma, announce }) => {
      await prisma.oAuth2Token.updateMany({ data: { createdAt } });
      await announce('principals');
    });
    await read(server, access_token).expect(401);
    const { body } = await refresh(server, refresh_token).expect(200);
    await read(server, body.access_token).expect(200);
  });
});

describe('§5 POST /oauth2/token, a JWT', () => {
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const jwt = (claims: { username?: string; audience?: string; seconds?: number } = {}, secret = jwtSecret) =>
    signJwt(Buffer.from(secret), { username: 'ann', ...claims });

  test('gives tokens for its user', async () => {
    const { body } = await ask(server, { grant_type, assertion: await jwt() }).expect(200);
    expect(body).toMatchObject({ token_type: 'bearer', refresh_token: expect.stringMatching(/^[\w-]{64}$/) });
    await read(server, body.access_token).expect(200);
    await refresh(server, body.refresh_token).expect(200);
  });

  test('gives the same again while they count, to the same client and user', async () => {
    const bob = { username: 'bob' };
    const { body } = await ask(server, { grant_type, assertion: await jwt(bob) }).expect(200);
    const again = await ask(server, { grant_type, assertion: await jwt(bob) }).expect(200);
    expect(again.body).toMatchObject({
      access_token: body.access_token,
      refresh_token: body.refresh_token,
    });
    expect(again.body.expires_in).toBeLessThanOrEqual(3600);
    const other = await ask(server, { grant_type, assertion: await jwt(bob), client_id: 'other' });
    expect(other.body.access_token).not.toBe(body.access_token);
    await server.database.prisma.oAuth2Token.updateMany({
      data: { createdAt: new Date(Date.now() - 3_601_000) },
    });
    const later = await ask(server, { grant_type, assertion: await jwt(bob) }).expect(200);
    expect(later.body.access_token).not.toBe(body.access_token);
    await refused(refresh(server, body.refresh_token), 'invalid_grant');
  });

  test.each([
    ['another secret', () => jwt({}, 'x'.repeat(64))],
    ['a user nobody is', () => jwt({ username: 'nobody' })],
    ['over', () => jwt({ seconds: -10 })],
    ['for other paths alone', () => jwt({ audience: 'api/v1/config' })],
    ['no JWT', async () => 'x'],
  ])('%s: invalid_grant', async (_, make) => {
    await refused(ask(server, { grant_type, assertion: await make() }), 'invalid_grant');
  });

  test('for this very path', async () => {
    const assertion = await jwt({ audience: 'oauth2/token' });
    await ask(server, { grant_type, assertion }).expect(200);
  });

  test('none: invalid_request; without a client: invalid_client', async () => {
    await refused(ask(server, { grant_type }), 'invalid_request');
    const assertion = await jwt();
    await refused(ask(server, { grant_type, assertion, client_id: undefined }), 'invalid_client');
  });
});

describe('§5 access ends', () => {
  test('with its user', async () => {
    await createUser(server, 'leaver');
    const { access_token, refresh_token } = await tokensFor(server, 'leaver');
    await read(server, access_token).expect(200);
    await deleteUser(server, 'leaver');
    await read(server, access_token).expect(401);
    await refused(refresh(server, refresh_token), 'invalid_grant');
  });

  const graphql = async (query: string) => {
    const { body } = await server.request.post('/graphql').send({ query }).expect(200);
    expect(body.errors).toBeUndefined();
    return body.data;
  };

  test('when an administrator revokes it', async () => {
    const { access_token, refresh_token } = await tokensFor(server, 'bob');
    await read(server, access_token).expect(200);
    const { oauth2Tokens } = await graphql(
      '{ oauth2Tokens(username: "bob") { id username client { clientId } } }',
    );
    expect(oauth2Tokens.at(-1)).toMatchObject({ username: 'bob', client: { clientId: 'app' } });
    await graphql(`mutation { deleteOAuth2Token(id: ${oauth2Tokens.at(-1).id}) }`);
    await read(server, access_token).expect(401);
    await refused(refresh(server, refresh_token), 'invalid_grant');
  });

  test('while its client is switched off', async () => {
    const { access_token, refresh_token } = await tokensFor(server, 'ann', { client_id: 'other' });
    await read(server, access_token).expect(200);
    const turn = (enabled: boolean) =>
      graphql(
        `mutation { updateOAuth2Client(id: ${clients.other}, client: { enabled: ${enabled} }) { id } }`,
      );
    await turn(false);
    await read(server, access_token).expect(401);
    await refused(refresh(server, refresh_token, { client_id: 'other' }), 'invalid_client');
    await turn(true);
    await read(server, access_token).expect(200);
  });

  test('with its client', async () => {
    const { id } = await register(server, { clientId: 'short-lived' });
    const fields = { client_id: 'short-lived' };
    const { access_token } = await tokensFor(server, 'ann', fields);
    await read(server, access_token).expect(200);
    await graphql(`mutation { deleteOAuth2Client(id: ${id}) }`);
    await read(server, access_token).expect(401);
  });
});
