import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SignJWT } from 'jose';
import { read, redirect, register, tokensFor } from '../../oauth2/flow.ts';
import { jwtSecret } from '../../support/authentication.ts';
import { useServer } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';
import { type LogEntryEntity, latestId, loggedAfter } from './audit-requests.ts';

const server = useServer({ JWT_SECRET: jwtSecret, LOGIN_FAILURES: '5' });
beforeAll(async () => {
  await register(server);
});

/** A new user for each test, and the id of the latest entry before it. */
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

/** Returns the log-in entries since `before`, without those of the administrator who reads them. */
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
  eventId: 'loginSuccess',
  principalName: user,
  extended: { method, address },
});

describe('§2.6 the log entry logout', () => {
  const gone = () => ({ eventId: 'logout', principalName: user, extended: { address } });

  test.each(['get', 'post'] as const)(
    'is written for %s once a minute, with any authentication method',
    async (method) => {
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
    },
  );

  test('is not written without or with wrong credentials', async () => {
    await server.anonymous.get('/logout').expect(204);
    await server.anonymous.get('/logout').auth(user, 'wrong').expect(401);
    await server.anonymous.get('/logout?token=wrong').expect(401);
    const { headers } = await server.anonymous.delete('/logout').auth(user, 'secret').expect(405);
    expect(headers.allow).toBe('GET, HEAD, POST');
    expect((await logins()).map(({ eventId }) => eventId)).toEqual(['loginFailed', 'loginFailed']);
  });
});

describe('§2.6 the log entry loginSuccess', () => {
  test('is written when a password is verified, not for each request', async () => {
    for (let time = 0; time < 3; time += 1) await server.anonymous.get(open).auth(user, 'secret').expect(200);
    expect(await logins()).toEqual([success('basic')]);
  });

  test('is not repeated within a minute when the account is loaded again', async () => {
    await server.anonymous.get(open).auth(user, 'secret').expect(200);
    await server.database.announce('principals');
    await server.anonymous.get(open).auth(user, 'secret').expect(200);
    expect(await logins()).toEqual([success('basic')]);
  });

  test('is written for a login token', async () => {
    const device = { applicationName: 'app', deviceId: 'd', permission: 'rw' };
    const { text } = await server.anonymous
      .get('/authentication/token')
      .auth(user, 'secret')
      .query(device)
      .expect(201);
    await server.anonymous.get(open).set('X-Authentication-Token', text).expect(200);
    expect(await logins()).toEqual([success('basic'), success('token')]);
  });

  test('is written for a JWT', async () => {
    const jwt = await new SignJWT({ sub: user })
      .setProtectedHeader({ alg: 'HS512' })
      .setExpirationTime('1 minute')
      .sign(new TextEncoder().encode(jwtSecret));
    await read(server, jwt).expect(200);
    await read(server, jwt).expect(200);
    expect(await logins()).toEqual([success('jwt')]);
  });

  test('is written for an OAuth token', async () => {
    const { access_token } = await tokensFor(server, user);
    await read(server, access_token).expect(200);
    expect(await logins()).toEqual([success('basic'), success('oauth2')]);
  });

  test('is written for the OAuth log-in form', async () => {
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

describe('§2.6 the log entry loginFailed', () => {
  const failure = (principalName: string, count: number) => ({
    eventId: 'loginFailed',
    principalName,
    extended: { address, count },
  });

  test('is written once per account and address, with the number of failures', async () => {
    for (let time = 0; time < 3; time += 1) await server.anonymous.get(open).auth(user, 'wrong').expect(401);
    await server.anonymous.get(open).auth('nobody', 'wrong').expect(401);
    expect(await logins()).toEqual([failure(user, 3), failure('nobody', 1)]);
  });

  test('does not count requests without credentials or over the limit of failures', async () => {
    await server.anonymous.get(open).expect(401);
    for (let time = 0; time < 5; time += 1) await server.anonymous.get(open).auth(user, 'wrong').expect(401);
    await server.anonymous.get(open).auth(user, 'wrong').expect(429);
    expect(await logins()).toEqual([failure(user, 5)]);
  });

  test('has no user name for an invalid token', async () => {
    await server.anonymous.get(open).set('X-Authentication-Token', 'none').expect(401);
    expect(await logins()).toEqual([failure('', 1)]);
  });

  test('is written for a wrong old password', async () => {
    const body = { oldPassword: 'wrong', newPassword: 'x' };
    await server.anonymous.put('/api/v1/me/changepassword').auth(user, 'secret').send(body).expect(401);
    expect(await logins()).toEqual([success('basic'), failure(user, 1)]);
  });

  test('has a user name of at most 255 bytes', async () => {
    await server.anonymous.get(open).auth('é'.repeat(2000), 'wrong').expect(401);
    expect(await logins()).toEqual([failure('é'.repeat(127), 1)]);
  });
});
