import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SignJWT } from 'jose';
import { read, redirect, register, tokensFor } from '../../oauth2/flow.ts';
import { jwtSecret } from '../../support/authentication.ts';
import { start, type TestServer } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';
import { type LogEntryEntity, latestId, loggedAfter } from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start({ JWT_SECRET: jwtSecret, LOGIN_FAILURES: '5' });
  await register(server);
});
afterAll(() => server.stop());

/** Somebody else in each test, and what there was before it. */
let user = 'nobody';
let before = 0;
let count = 0;
beforeEach(async () => {
  count += 1;
  user = await createUser(server, `user-${count}`);
  await server.journal.flush();
  before = await latestId(server);
});

const open = '/api/v1/config/types';

/** The entries of log-ins so far, without those of the administrator who asks. */
async function logins(): Promise<Array<Pick<LogEntryEntity, 'eventId' | 'principalName' | 'extended'>>> {
  await server.journal.flush();
  const entries = await loggedAfter(server, before);
  return entries
    .filter(({ category }) => category === 'NuxeoAuthentication')
    .filter(({ eventId, principalName }) => eventId !== 'loginSuccess' || principalName !== 'Administrator')
    .map(({ eventId, principalName, extended }) => ({ eventId, principalName, extended }));
}

const address = expect.any(String);
const success = (method: string) => ({
  ...{ eventId: 'loginSuccess', principalName: user, extended: { method, address } },
});

describe('§2.6 logout', () => {
  const gone = () => ({ eventId: 'logout', principalName: user, extended: { address } });

  test.each(['get', 'post'] as const)('by %s, once a minute, whatever the method', async (method) => {
    const device = { applicationName: 'app', deviceId: 'd', permission: 'rw' };
    const { text } = await server.anonymous
      .get('/authentication/token')
      .auth(user, 'secret')
      .query(device)
      .expect(201);
    const { headers, text: body } = await server.anonymous[method]('/logout')
      .auth(user, 'secret')
      .expect(204);
    expect([body, headers['cache-control']]).toEqual(['', 'no-store']);
    await server.anonymous[method]('/logout').set('X-Authentication-Token', text).expect(204);
    expect(await logins()).toEqual([success('basic'), gone(), success('token')]);
    await server.anonymous.get(open).auth(user, 'secret').expect(200);
  });

  test('not of nobody, and not of who brings wrong credentials', async () => {
    await server.anonymous.get('/logout').expect(204);
    await server.anonymous.get('/logout').auth(user, 'wrong').expect(401);
    const { headers } = await server.anonymous.delete('/logout').auth(user, 'secret').expect(405);
    expect(headers.allow).toBe('GET, HEAD, POST');
    expect((await logins()).map(({ eventId }) => eventId)).toEqual(['loginFailed']);
  });
});

describe('§2.6 loginSuccess', () => {
  test('once for a password that is verified, not with every request', async () => {
    for (let time = 0; time < 3; time += 1) await server.anonymous.get(open).auth(user, 'secret').expect(200);
    expect(await logins()).toEqual([success('basic')]);
  });

  test('not again within a minute, though the account was read anew', async () => {
    await server.anonymous.get(open).auth(user, 'secret').expect(200);
    await server.database.announce('principals');
    await server.anonymous.get(open).auth(user, 'secret').expect(200);
    expect(await logins()).toEqual([success('basic')]);
  });

  test('for a login token', async () => {
    const device = { applicationName: 'app', deviceId: 'd', permission: 'rw' };
    const { text } = await server.anonymous
      .get('/authentication/token')
      .auth(user, 'secret')
      .query(device)
      .expect(201);
    await server.anonymous.get(open).set('X-Authentication-Token', text).expect(200);
    expect(await logins()).toEqual([success('basic'), success('token')]);
  });

  test('for a JWT', async () => {
    const jwt = await new SignJWT({ sub: user })
      .setProtectedHeader({ alg: 'HS512' })
      .setExpirationTime('1 minute')
      .sign(new TextEncoder().encode(jwtSecret));
    await read(server, jwt).expect(200);
    await read(server, jwt).expect(200);
    expect(await logins()).toEqual([success('jwt')]);
  });

  test('for an OAuth token', async () => {
    const { access_token } = await tokensFor(server, user);
    await read(server, access_token).expect(200);
    expect(await logins()).toEqual([success('basic'), success('oauth2')]);
  });

  test('for the form of OAuth', async () => {
    const question = { response_type: 'code', client_id: 'app', redirect_uri: redirect };
    const logIn = (password: string) =>
      server.anonymous
        .post('/oauth2/log_in')
        .type('form')
        .send({ ...question, username: user, password });
    await logIn('secret').expect(303);
    await logIn('wrong').expect(401);
    expect(await logins()).toEqual([
      success('form'),
      { eventId: 'loginFailed', principalName: user, extended: { address, count: 1 } },
    ]);
  });
});

describe('§2.6 loginFailed', () => {
  const failure = (principalName: string, count: number) => ({
    ...{ eventId: 'loginFailed', principalName, extended: { address, count } },
  });

  test('is one entry for an account and an address, with how many there were', async () => {
    for (let time = 0; time < 3; time += 1) await server.anonymous.get(open).auth(user, 'wrong').expect(401);
    await server.anonymous.get(open).auth('nobody', 'wrong').expect(401);
    expect(await logins()).toEqual([failure(user, 3), failure('nobody', 1)]);
  });

  test('counts neither those who say nothing, nor those who are turned away unasked', async () => {
    await server.anonymous.get(open).expect(401);
    for (let time = 0; time < 5; time += 1) await server.anonymous.get(open).auth(user, 'wrong').expect(401);
    await server.anonymous.get(open).auth(user, 'wrong').expect(429);
    expect(await logins()).toEqual([failure(user, 5)]);
  });

  test('of a token is nobody’s', async () => {
    await server.anonymous.get(open).set('X-Authentication-Token', 'none').expect(401);
    expect(await logins()).toEqual([failure('', 1)]);
  });

  test('of a wrong old password too', async () => {
    const body = { oldPassword: 'wrong', newPassword: 'x' };
    await server.anonymous.put('/api/v1/me/changepassword').auth(user, 'secret').send(body).expect(401);
    expect(await logins()).toEqual([success('basic'), failure(user, 1)]);
  });

  test('of a name that no database could hold, or that is very long, is kept as far as it goes', async () => {
    await server.anonymous.get(open).auth('é'.repeat(2000), 'wrong').expect(401);
    expect(await logins()).toEqual([failure('é'.repeat(127), 1)]);
  });
});
