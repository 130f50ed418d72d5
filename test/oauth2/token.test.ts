import { beforeAll, describe, expect, test } from '@jest/globals';
import { SignJWT } from 'jose';
import { signJwt } from '../../src/auth/jwt.ts';
import { jwtSecret } from '../support/authentication.ts';
import { useServer } from '../support/server.ts';
import { createUser, deleteUser } from '../support/users.ts';
import { ask, read, refresh, register, type Tokens, tokensFor } from './flow.ts';

const server = useServer({ JWT_SECRET: jwtSecret, LOGIN_FAILURES: '1000' });
let clients: Record<'app' | 'other' | 'secretive' | 'off', number>;
beforeAll(async () => {
  for (const id of ['ann', 'bob']) await createUser(server, id);
  clients = {
    app: (await register(server)).id,
    other: (await register(server, { clientId: 'other' })).id,
    secretive: (await register(server, { clientId: 'secretive', clientSecret: 'sesame' })).id,
    off: (await register(server, { clientId: 'off', enabled: false })).id,
  };
});

/** Expects 400 with an error of the protocol. */
const refused = async (response: PromiseLike<{ status: number; body: unknown }>, error: string) => {
  const { status, body } = await response;
  expect({ status, body }).toEqual({ status: 400, body: { error, error_description: expect.any(String) } });
};

describe('§5 POST /oauth2/token, refresh_token', () => {
  test('replaces both the access token and the refresh token', async () => {
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

  test('of five concurrent refreshes exactly one succeeds', async () => {
    const { refresh_token } = await tokensFor(server);
    const responses = await Promise.all(Array.from({ length: 5 }, () => refresh(server, refresh_token)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });

  test('is refused for another client, without a client, and for an unknown token', async () => {
    const { refresh_token, access_token } = await tokensFor(server);
    await refused(refresh(server, refresh_token, { client_id: 'other' }), 'invalid_grant');
    await refused(refresh(server, refresh_token, { client_id: undefined }), 'invalid_client');
    await refused(refresh(server, 'x'), 'invalid_grant');
    await refused(ask(server, { grant_type: 'refresh_token' }), 'invalid_request');
    await refused(refresh(server, access_token), 'invalid_grant');
    await refresh(server, refresh_token).expect(200);
  });

  test('a refresh token outlives its access token', async () => {
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

  test('a JWT is exchanged for tokens of its user', async () => {
    const { body } = await ask(server, { grant_type, assertion: await jwt() }).expect(200);
    expect(body).toMatchObject({ token_type: 'bearer', refresh_token: expect.stringMatching(/^[\w-]{64}$/) });
    await read(server, body.access_token).expect(200);
    await refresh(server, body.refresh_token).expect(200);
  });

  test('the same client and user get the same tokens again until these expire', async () => {
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

  test.each([9_999_999_999_999, 1_900_000_000_000, 1e300])('a JWT may end as late as %i', async (exp) => {
    await createUser(server, `until ${exp}`);
    const secret = Buffer.from(jwtSecret);
    const token = new SignJWT({ exp }).setProtectedHeader({ alg: 'HS512' }).setSubject(`until ${exp}`);
    const assertion = await token.setIssuedAt().sign(secret);
    const { body } = await ask(server, { grant_type, assertion }).expect(200);
    expect(body.expires_in).toBe(3600);
    await read(server, body.access_token).expect(200);
    await refresh(server, body.refresh_token).expect(200);
  });

  test.each([
    ['another secret', () => jwt({}, 'x'.repeat(64))],
    ['unknown user', () => jwt({ username: 'nobody' })],
    ['expired', () => jwt({ seconds: -10 })],
    ['for other paths only', () => jwt({ audience: 'api/v1/config' })],
    ['not a JWT', async () => 'x'],
  ])('a JWT that is invalid (%s) is answered invalid_grant', async (_, make) => {
    await refused(ask(server, { grant_type, assertion: await make() }), 'invalid_grant');
  });

  test('a JWT restricted to the path oauth2/token is accepted', async () => {
    const assertion = await jwt({ audience: 'oauth2/token' });
    await ask(server, { grant_type, assertion }).expect(200);
  });

  test('a missing JWT is answered invalid_request, a missing client invalid_client', async () => {
    await refused(ask(server, { grant_type }), 'invalid_request');
    const assertion = await jwt();
    await refused(ask(server, { grant_type, assertion, client_id: undefined }), 'invalid_client');
  });
});

describe('§5 OAuth tokens are refused', () => {
  test('after their user is deleted', async () => {
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

  test('after an administrator revokes them', async () => {
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

  test('while their client is disabled', async () => {
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

  test('after their client is deleted', async () => {
    const { id } = await register(server, { clientId: 'short-lived' });
    const fields = { client_id: 'short-lived' };
    const { access_token } = await tokensFor(server, 'ann', fields);
    await read(server, access_token).expect(200);
    await graphql(`mutation { deleteOAuth2Client(id: ${id}) }`);
    await read(server, access_token).expect(401);
  });
});
