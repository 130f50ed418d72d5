import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { signJwt } from '../../../src/auth/jwt.ts';
import { ask, codeFor, exchange, redirect, refresh, register, tokensFor } from '../../oauth2/flow.ts';
import { jwtSecret } from '../../support/authentication.ts';
import { useServer } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';
import { acquiring, device, open } from './token-requests.ts';

const server = useServer({ JWT_SECRET: jwtSecret, LOGIN_FAILURES: '1000' });
beforeAll(async () => {
  await createUser(server, 'ann');
  await createUser(server, 'chief', ['administrators']);
  await register(server);
  await register(server, { clientId: 'trusted', autoGrant: true });
});

const { tokenOf } = acquiring(server);
const jwt = (username: string, seconds = 60) => signJwt(Buffer.from(jwtSecret), { username, seconds });
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

type Headers = Record<string, string>;

const others: ReadonlyArray<[kind: string, (user: string) => Promise<Headers>]> = [
  ['login token', async (user) => ({ 'X-Authentication-Token': await tokenOf(user, 'own') })],
  ['OAuth token', async (user) => bearer((await tokensFor(server, user)).access_token)],
  ['JWT', async (user) => bearer(await jwt(user))],
];

const request = { response_type: 'code', client_id: 'app', redirect_uri: redirect };

describe('§5 a login token as the credential', () => {
  const ask = (token: string, query: Record<string, string>) =>
    server.anonymous.get('/authentication/token').set('X-Authentication-Token', token).query(query);

  test('is answered again when it is asked for', async () => {
    const query = { ...device, deviceId: 'again' };
    const token = await tokenOf('ann', 'again');
    expect((await ask(token, query).expect(201)).text).toBe(token);
    const count = await server.database.prisma.loginToken.count({ where: { deviceId: 'again' } });
    expect(count).toBe(1);
  });

  test.each([{ deviceId: 'another' }, { applicationName: 'another' }, { permission: 'r' }])(
    'does not give the token of %j',
    async (other) => {
      const token = await tokenOf('ann', 'one');
      await tokenOf('ann', 'another');
      await ask(token, { ...device, deviceId: 'one', ...other }).expect(403);
    },
  );
});

describe.each(others)('§5 a caller with no password but a valid %s', (kind, headersOf) => {
  const fault = (action: string) =>
    `Only requests authenticated with a password can ${action}; this one used another credential: ${kind}.`;

  test('gets no login token', async () => {
    const headers = await headersOf('ann');
    const query = { ...device, deviceId: `by ${kind}` };
    for (const sent of [
      server.anonymous.post('/api/v1/token').query({ ...query, application: 'app' }),
      server.anonymous.get('/authentication/token').query(query),
    ]) {
      const { body } = await sent.set(headers).expect(403);
      expect(body).toMatchObject({ status: 403, message: fault('create a login token') });
    }
    const known = await server.database.prisma.loginToken.count({ where: { deviceId: query.deviceId } });
    expect(known).toBe(0);
  });

  test('consents to nothing', async () => {
    const headers = await headersOf('ann');
    const { body } = await server.anonymous
      .post('/oauth2/authorize_submit')
      .set(headers)
      .type('form')
      .send({ ...request, grant_access: '1' })
      .expect(403);
    expect(body).toMatchObject({ status: 403, message: fault('grant access') });
    const asked = server.anonymous.get('/oauth2/authorize').query({ ...request, client_id: 'trusted' });
    expect((await asked.set(headers).expect(403)).headers).not.toHaveProperty('location');
  });

  test('gets neither by GraphQL, nor a JWT, as an administrator', async () => {
    const headers = await headersOf('chief');
    for (const field of ['createToken(application: "app", deviceId: "x")', 'createJwt(username: "chief")']) {
      const { body } = await server.anonymous
        .post('/graphql')
        .set(headers)
        .send({ query: `mutation { ${field} }` });
      expect(body.errors).toEqual([expect.objectContaining({ extensions: { code: 'FORBIDDEN' } })]);
    }
  });

  test('lists and revokes login tokens', async () => {
    const headers = await headersOf('ann');
    await tokenOf('ann', 'lost');
    await server.anonymous.get('/api/v1/token').set(headers).expect(200);
    const query = { ...device, deviceId: 'lost', revoke: 'true' };
    await server.anonymous.get('/authentication/token').set(headers).query(query).expect(202);
  });
});

describe('§5 tokens that a client got for a JWT', () => {
  const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
  const tokensUntil = async (user: string, seconds: number) =>
    (await ask(server, { grant_type, assertion: await jwt(user, seconds) }).expect(200)).body;
  const read = (token: string) => server.anonymous.get(open).set(bearer(token));
  /** Advances the clock by so many seconds. */
  const pass = (seconds: number) => {
    const now = Date.now();
    jest.spyOn(Date, 'now').mockReturnValue(now + seconds * 1000);
  };
  afterEach(() => {
    jest.restoreAllMocks();
  });
  beforeAll(async () => {
    for (const id of ['brief', 'renewed', 'again']) await createUser(server, id);
  });

  test('end with it, those of a refresh included', async () => {
    const first = await tokensUntil('brief', 60);
    expect(first.expires_in).toBeLessThanOrEqual(60);
    await read(first.access_token).expect(200);
    const { body: second } = await refresh(server, first.refresh_token).expect(200);
    expect(second.expires_in).toBeLessThanOrEqual(60);
    await read(second.access_token).expect(200);
    pass(60);
    await read(second.access_token).expect(401);
    const { oAuth2Token } = server.database.prisma;
    await oAuth2Token.updateMany({ where: { userId: 'brief' }, data: { endsAt: new Date() } });
    expect((await refresh(server, second.refresh_token).expect(400)).body.error).toBe('invalid_grant');
  });

  test('last as long as a later one', async () => {
    const first = await tokensUntil('renewed', 60);
    await read(first.access_token).expect(200);
    const second = await tokensUntil('renewed', 1_000);
    expect(second.access_token).toBe(first.access_token);
    expect(second.expires_in).toBeGreaterThan(900);
    pass(60);
    await read(first.access_token).expect(200);
  });

  test('differ from those of a code, which last', async () => {
    const { body } = await exchange(server, await codeFor(server, {}, 'again'));
    expect(body.expires_in).toBe(3600);
    await refresh(server, body.refresh_token).expect(200);
  });
});
