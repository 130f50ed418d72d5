import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { signJwt } from '../../../src/auth/jwt.ts';
import { createDatabase } from '../../../src/db/database.ts';
import { connectServer } from '../../../src/db/postgres-server.ts';
import { ask, codeFor, exchange, landed, redirect, refresh, register, tokensFor } from '../../oauth2/flow.ts';
import { authenticationOver, jwtSecret, visitor } from '../../support/authentication.ts';
import { askGraphql } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { as, createUser, useUser } from '../../support/users.ts';
import { acquiring, open } from './token-requests.ts';

const server = useServer({ JWT_SECRET: jwtSecret, LOGIN_FAILURES: '1000' });
const eve = useUser(server, 'eve');
const editor = useUser(server, 'editor', ['powerusers']);
beforeAll(() => register(server));

const { tokenOf, read } = acquiring(server);
const jwt = (username: string) => signJwt(Buffer.from(jwtSecret), { username });
const withBearer = (token: string) => server.anonymous.get(open).set('Authorization', `Bearer ${token}`);
const address = (user: string) => `/api/v1/user/${encodeURIComponent(user)}/credentials`;
const nextSecond = () => new Promise((resolve) => setTimeout(resolve, 1_000));
const request = { response_type: 'code', client_id: 'app', redirect_uri: redirect };

/** The cookie of the log-in form. */
async function sessionOf(user: string): Promise<string> {
  const form = { ...request, username: user, password: 'secret' };
  const { headers } = await server.anonymous.post('/oauth2/log_in').type('form').send(form).expect(303);
  return String(headers['set-cookie']).split(';', 1)[0] ?? '';
}

const consentBy = (cookie: string) =>
  server.anonymous
    .post('/oauth2/authorize_submit')
    .set('Cookie', cookie)
    .type('form')
    .send({ ...request, grant_access: '1' });

/** Everything that proves a user, beside the password. */
async function credentialsOf(user: string) {
  await createUser(server, user);
  const loginToken = await tokenOf(user, 'd');
  const tokens = await tokensFor(server, user);
  const all = {
    loginToken,
    tokens,
    code: await codeFor(server, {}, user),
    session: await sessionOf(user),
    jwt: await jwt(user),
  };
  await read(loginToken).expect(200);
  await withBearer(tokens.access_token).expect(200);
  await withBearer(all.jwt).expect(200);
  return all;
}

const grant_type = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

async function requireEnded(all: Awaited<ReturnType<typeof credentialsOf>>): Promise<void> {
  await read(all.loginToken).expect(401);
  await withBearer(all.tokens.access_token).expect(401);
  await withBearer(all.jwt).expect(401);
  for (const sent of [
    refresh(server, all.tokens.refresh_token),
    exchange(server, all.code),
    ask(server, { grant_type, assertion: all.jwt }),
  ]) {
    expect((await sent.expect(400)).body.error).toBe('invalid_grant');
  }
  await consentBy(all.session).expect(401);
}

describe('§5 DELETE /user/USER/credentials', () => {
  test('ends what proves the user at once, but not the password', async () => {
    const all = await credentialsOf('ann');
    const bobs = await credentialsOf('bob');
    await as(server, 'ann').delete(address('ann')).expect(204);
    await requireEnded(all);
    await as(server, 'ann').get(open).expect(200);
    await read(bobs.loginToken).expect(200);
    await withBearer(bobs.tokens.access_token).expect(200);
    await withBearer(bobs.jwt).expect(200);
    await consentBy(bobs.session).expect(302);
  });

  test('is no more than deleting a user does, whose name another one gets', async () => {
    const all = await credentialsOf('former');
    await server.request.delete('/api/v1/user/former').expect(204);
    const properties = { username: 'former', password: 'former' };
    await server.request.post('/api/v1/user').send({ 'entity-type': 'user', properties }).expect(201);
    await requireEnded(all);
    await nextSecond();
    await withBearer(await jwt('former')).expect(200);
  });

  test('leaves it to the user to make others', async () => {
    await credentialsOf('again');
    await as(server, 'again').delete(address('again')).expect(204);
    await nextSecond();
    await withBearer(await jwt('again')).expect(200);
    await read(await tokenOf('again', 'd')).expect(200);
    await withBearer((await tokensFor(server, 'again')).access_token).expect(200);
    expect(landed(await consentBy(await sessionOf('again')).expect(302))).toHaveProperty('code');
  });

  test('is for the user, by any credentials, and for administrators', async () => {
    for (const [user, headers] of [
      ['by token', async (token: string) => ({ 'X-Authentication-Token': token })],
      ['by JWT', async () => ({ Authorization: `Bearer ${await jwt('by JWT')}` })],
    ] as const) {
      const all = await credentialsOf(user);
      const sent = server.anonymous.delete(address(user)).set(await headers(all.loginToken));
      await sent.expect(204);
      await requireEnded(all);
    }
    const all = await credentialsOf('by administrator');
    await server.request.delete(address('by administrator')).expect(204);
    await requireEnded(all);
  });

  test('is refused to others, and answers 404 for no such user', async () => {
    const all = await credentialsOf('kept');
    for (const other of [eve, editor]) {
      const { body } = await other.delete(address('kept')).expect(403);
      expect(body.message).toBe('Only kept or an administrator can revoke the credentials of kept.');
    }
    await server.anonymous.delete(address('kept')).expect(401);
    await read(all.loginToken).expect(200);
    for (const name of ['nosuch', 'a/b', '\0', 'members'])
      await server.request.delete(address(name)).expect(404);
  });

  test('is the mutation endCredentials in GraphQL', async () => {
    const all = await credentialsOf('by GraphQL');
    const done = await askGraphql(server.request, 'mutation { endCredentials(username: "by GraphQL") }');
    expect(done).toEqual({ endCredentials: 'by GraphQL' });
    await requireEnded(all);
  });

  test('is logged', async () => {
    await createUser(server, 'logged');
    await server.request.delete(address('logged')).expect(204);
    const query = '{ logEntries(eventId: ["user_modified"]) { entries { extended } } }';
    const { logEntries } = await askGraphql<{ logEntries: { entries: unknown[] } }>(server.request, query);
    expect(JSON.stringify(logEntries.entries)).toContain('"logged"');
  });

  test('refuses JWTs from then on that do not say when they were issued, or that they are to come', async () => {
    const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const signed = (claims: object): string => {
      const content = `${base64({ alg: 'HS512' })}.${base64(claims)}`;
      return `${content}.${createHmac('sha512', jwtSecret).update(content).digest('base64url')}`;
    };
    await createUser(server, 'undated');
    const now = Math.floor(Date.now() / 1000);
    const tokens = [{}, { iat: now + 3_600 }].map((more) =>
      signed({ sub: 'undated', exp: now + 7_200, ...more }),
    );
    for (const token of tokens) await withBearer(token).expect(200);
    await server.request.delete(address('undated')).expect(204);
    for (const token of tokens) await withBearer(token).expect(401);
  });
});

describe('§4.3 a new password', () => {
  const set = (user: string, password: string | null, by = server.request) =>
    by.put(`/api/v1/user/${user}`).send({ 'entity-type': 'user', id: user, properties: { password } });

  test.each(['fresh', null])('by an administrator ends all credentials: %j', async (password) => {
    const user = `reset-${password}`;
    const all = await credentialsOf(user);
    await set(user, password).expect(200);
    await requireEnded(all);
  });

  test('by a power user does, too; other changes of a user do not', async () => {
    const all = await credentialsOf('edited');
    const change = { 'entity-type': 'user', id: 'edited', properties: { firstName: 'E' } };
    await editor.put('/api/v1/user/edited').send(change).expect(200);
    await read(all.loginToken).expect(200);
    await withBearer(all.jwt).expect(200);
    await set('edited', 'fresh', editor).expect(200);
    await requireEnded(all);
  });

  const change = (headers: Record<string, string>) =>
    server.anonymous
      .put('/api/v1/me/changepassword')
      .set(headers)
      .send({ oldPassword: 'secret', newPassword: 'fresh' });

  test('of the user ends all credentials but the login token of the request', async () => {
    const all = await credentialsOf('own');
    const token = await tokenOf('own', 'the one');
    await change({ 'X-Authentication-Token': token }).expect(200);
    await requireEnded(all);
    await read(token).expect(200);
    await server.anonymous.get(open).auth('own', 'secret').expect(401);
    await server.anonymous.get(open).auth('own', 'fresh').expect(200);
  });

  test('of the user ends all credentials but the access token of the request, which can be refreshed', async () => {
    const all = await credentialsOf('granting');
    const { access_token, refresh_token } = await tokensFor(server, 'granting');
    await change({ Authorization: `Bearer ${access_token}` }).expect(200);
    await requireEnded(all);
    await withBearer(access_token).expect(200);
    await refresh(server, refresh_token).expect(200);
  });

  test('that is refused ends nothing', async () => {
    const all = await credentialsOf('unsure');
    const body = { oldPassword: 'wrong', newPassword: 'fresh' };
    await as(server, 'unsure').put('/api/v1/me/changepassword').send(body).expect(401);
    await read(all.loginToken).expect(200);
    await withBearer(all.jwt).expect(200);
  });
});

test('§5 a second process refuses ended credentials within a second', async () => {
  const all = await credentialsOf('shared');
  const { url = '' } = server;
  const elsewhere = createDatabase(connectServer(url, 60));
  try {
    const { authenticate } = authenticationOver(elsewhere);
    const callers = [{ 'x-authentication-token': all.loginToken }, { authorization: `Bearer ${all.jwt}` }];
    await until(() => elsewhere.announcements.isConnected());
    for (const headers of callers)
      expect(await authenticate(visitor(headers))).toMatchObject({ id: 'shared' });
    await server.request.delete(address('shared')).expect(204);
    for (const headers of callers) {
      const isRefused = () =>
        authenticate(visitor(headers)).then(
          () => false,
          () => true,
        );
      await until(isRefused, 5_000);
    }
  } finally {
    await elsewhere.close();
  }
});
