import { beforeAll, describe, expect, test } from '@jest/globals';
import supertest from 'supertest';
import { hashPassword } from '../../src/store/authorities/passwords.ts';
import { startServer, useServer } from '../support/server.ts';
import { createUser, deleteUser } from '../support/users.ts';
import { exchange, landed, read, redirect, register } from './flow.ts';

const server = useServer();
beforeAll(async () => {
  for (const id of ['ann', 'bob', 'eve', 'leaver', 'Žofie <b>']) await createUser(server, id);
  await register(server);
});

const request = { response_type: 'code', client_id: 'app', redirect_uri: redirect, state: 's' };
const logIn = (username: string, password = 'secret', own = server) =>
  own.anonymous
    .post('/oauth2/log_in')
    .type('form')
    .send({ ...request, username, password });

/** The cookie that an answer sets, with its attributes. */
const cookieOf = (response: { headers: Record<string, unknown> }): string =>
  [response.headers['set-cookie'] ?? []].flat().join();

/** A browser that has logged in. */
async function browser(username: string): Promise<ReturnType<typeof supertest.agent>> {
  const agent = supertest.agent(server.http);
  await agent
    .post('/oauth2/log_in')
    .type('form')
    .send({ ...request, username, password: 'secret' })
    .expect(303);
  return agent;
}
const submit = (agent: ReturnType<typeof supertest.agent>) =>
  agent
    .post('/oauth2/authorize_submit')
    .type('form')
    .send({ ...request, grant_access: '1' });

describe('§5 the log-in page', () => {
  test('a browser passes from the log-in form by the consent page to the client', async () => {
    const agent = supertest.agent(server.http);
    await agent.get('/oauth2/authorize').query(request).expect(200);
    const { headers } = await agent
      .post('/oauth2/log_in')
      .type('form')
      .send({ ...request, username: 'Žofie <b>', password: 'secret' })
      .expect(303);
    const question = await agent.get(headers.location ?? '').expect(200);
    expect(question.text).toContain('<strong>Žofie &lt;b&gt;</strong>');
    const { code = '' } = landed(await submit(agent).expect(302));
    const { body } = await exchange(server, code).expect(200);
    await read(server, body.access_token).expect(200);
  });

  test('sets a cookie for ten minutes, with Path=/oauth2, HttpOnly and SameSite=Strict', async () => {
    const cookie = cookieOf(await logIn('ann').expect(303));
    expect(cookie).toMatch(/^quire-log-in=[\w-]+; Max-Age=600; Path=\/oauth2; /);
    expect(cookie).toMatch(/; HttpOnly(;|$)/);
    expect(cookie).toMatch(/; SameSite=Strict(;|$)/);
    expect(cookie).not.toMatch(/; Secure/);
    expect(cookie).not.toContain('ann');
  });

  test('sets a Secure cookie where clients use https', async () => {
    for (const settings of [
      { PUBLIC_URL: 'https://quire.example.org', ADMIN_PASSWORD: 'another' },
      { TRUST_PROXY: '1', ADMIN_PASSWORD: 'another' },
    ]) {
      await using own = await startServer(settings);
      await createUser(own, 'ann');
      await register(own);
      const response = await logIn('ann', 'secret', own).set('X-Forwarded-Proto', 'https').expect(303);
      expect(cookieOf(response)).toMatch(/; Secure/);
    }
  });

  test('redirects to the authorization request without the password', async () => {
    const { headers } = await logIn('ann').expect(303);
    const { pathname, searchParams } = new URL(headers.location ?? '', 'http://x');
    expect(pathname).toBe('/oauth2/authorize');
    expect(Object.fromEntries(searchParams)).toEqual(request);
  });

  test('answers a wrong password and an unknown user with the same form', async () => {
    const wrong = await logIn('ann', 'wrong').expect(401);
    const unknown = await logIn('nobody', 'wrong').expect(401);
    expect(wrong.text).toBe(unknown.text);
    expect(wrong.text).toContain('role="alert"');
    expect(wrong.text).toContain('value="code"');
    for (const response of [wrong, unknown]) {
      expect(cookieOf(response)).toBe('');
      expect(response.headers).not.toHaveProperty('www-authenticate');
    }
  });

  test('ten failures block the user name with 429, for the REST API as well', async () => {
    for (let index = 0; index < 10; index += 1) await logIn('eve', `wrong ${index}`).expect(401);
    const { headers, text } = await logIn('eve').expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(text).toMatch(/Too many attempts\. Try again in \d+ seconds/);
    await server.anonymous.get('/api/v1/config/types').auth('eve', 'secret').expect(429);
    await logIn('bob').expect(303);
  });

  test('accepts no password in the query string', async () => {
    const query = { ...request, username: 'ann', password: 'secret' };
    await server.anonymous.post('/oauth2/log_in').query(query).expect(401);
  });

  test('refuses every log-in if AUTH_CHAIN lacks basic', async () => {
    await using own = await startServer({ AUTH_CHAIN: 'oauth2,jwt', JWT_SECRET: 'x'.repeat(64) });
    await createUser(own, 'ann');
    await own.database.prisma.oAuth2Client.create({
      data: { clientId: 'app', name: '', redirectUris: [redirect], autoGrant: false, enabled: true },
    });
    await logIn('ann', 'secret', own).expect(401);
  });
});

describe('§5 the log-in session', () => {
  const withCookie = (cookie: string) =>
    server.anonymous
      .post('/oauth2/authorize_submit')
      .set('Cookie', cookie)
      .type('form')
      .send({ ...request, grant_access: '1' });

  test('ends with the answer to the consent page', async () => {
    const agent = await browser('ann');
    const response = await submit(agent).expect(302);
    expect(cookieOf(response)).toMatch(/^quire-log-in=; Path=\/oauth2; Expires=Thu, 01 Jan 1970/);
    await submit(agent).expect(401);
  });

  test('is not accepted outside /oauth2', async () => {
    const cookie = cookieOf(await logIn('ann')).split(';')[0] ?? '';
    await withCookie(cookie).expect(302);
    for (const path of ['/api/v1/me', '/graphql', '/authentication/token']) {
      await server.anonymous.get(path).set('Cookie', cookie).expect(401);
    }
  });

  test('ends with /logout', async () => {
    const agent = await browser('ann');
    const { headers } = await agent.get('/logout').expect(204);
    expect(cookieOf({ headers })).toMatch(/^quire-log-in=; Path=\/oauth2/);
    await submit(agent).expect(401);
  });

  test('ends when the password changes or the user is deleted', async () => {
    const [changing, leaving] = [await browser('bob'), await browser('leaver')];
    const passwordHash = await hashPassword('another');
    await server.database.prisma.user.update({ where: { id: 'bob' }, data: { passwordHash } });
    await deleteUser(server, 'leaver');
    await submit(changing).expect(401);
    await submit(leaving).expect(401);
  });

  test('a forged or altered cookie is answered 401', async () => {
    const [real = ''] = cookieOf(await logIn('ann')).split(';');
    for (const cookie of ['quire-log-in=', 'quire-log-in=x', `${real}x`, real.slice(0, -2), `x${real}`]) {
      await withCookie(cookie).expect(401);
    }
  });
});
