/** @group every-database */
import { describe, expect, test } from '@jest/globals';
import { administrator } from '../support/administrator.ts';
import { startServer, type TestServer, useServer } from '../support/server.ts';
import { createUser, deleteUser, password, useUser } from '../support/users.ts';

const server = useServer();
const ann = useUser(server, 'ann', ['members']);
const me = '/api/v1/me';

/** Signs in at the form; returns the header `Cookie`. */
async function cookieOf({ anonymous }: TestServer, username: string, secret = password): Promise<string> {
  const { headers } = await anonymous.post('/login').send({ username, password: secret }).expect(204);
  return String(headers['set-cookie']).split(';', 1)[0] ?? '';
}

describe('§5 POST /login', () => {
  test('begins a session in a cookie that scripts and other sites cannot use', async () => {
    const { headers, text } = await server.anonymous
      .post('/login')
      .send({ username: 'ann', password })
      .expect(204);
    expect(text).toBe('');
    expect(headers['cache-control']).toBe('no-store');
    expect(String(headers['set-cookie']?.[0])).toMatch(
      /^quire-session=[\w-]+; Max-Age=43200; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
  });

  test('has the cookie sent over TLS alone, and below CONTEXT_PATH, where the server is so reached', async () => {
    await using other = await startServer({
      CONTEXT_PATH: '/nuxeo',
      PUBLIC_URL: 'https://quire.example',
      ADMIN_PASSWORD: 'of-its-own',
    });
    const { headers } = await other.anonymous
      .post('/nuxeo/login')
      .send({ username: administrator.username, password: administrator.password })
      .expect(204);
    expect(String(headers['set-cookie'])).toMatch(/Path=\/nuxeo\/; .*HttpOnly; Secure; SameSite=Strict$/);
  });

  test.each([
    ['a wrong password', { username: 'ann', password: 'wrong' }, 401],
    ['an unknown user', { username: 'no-such-user', password }, 401],
    ['no user name', { password }, 400],
    ['no object', [1], 400],
  ])('answers %s with a fault, and sets no cookie', async (_, body, status) => {
    const { headers } = await server.anonymous.post('/login').send(body).expect(status);
    expect(headers['set-cookie']).toBeUndefined();
  });

  test('is refused when it is sent from another site', async () => {
    const sent = server.anonymous.post('/login').set('Origin', 'https://elsewhere.example');
    await sent.send({ username: 'ann', password }).expect(403);
  });

  test('is the only method there', async () => {
    const { headers } = await server.anonymous.get('/login').expect(405);
    expect(headers.allow).toBe('POST');
  });

  test('takes no password where AUTH_CHAIN takes none', async () => {
    await using other = await startServer({ AUTH_CHAIN: 'token' });
    await other.anonymous
      .post('/login')
      .send({ username: administrator.username, password: administrator.password })
      .expect(401);
  });
});

describe('§5 the session of the console', () => {
  test('stands for the credentials of its user, for REST and GraphQL', async () => {
    const cookie = await cookieOf(server, administrator.username, administrator.password);
    const { body } = await server.anonymous.get(me).set('Cookie', cookie).expect(200);
    expect(body.id).toBe(administrator.username);
    const asked = await server.anonymous
      .post('/graphql')
      .set('Cookie', cookie)
      .send({ query: '{ me { id } }' });
    expect(asked.body.data.me.id).toBe(administrator.username);
  });

  test('writes nothing when the request is of another site', async () => {
    const cookie = await cookieOf(server, administrator.username, administrator.password);
    for (const address of ['/graphql', '/api/v1/path/']) {
      const sent = server.anonymous.post(address).set('Cookie', cookie).set('Sec-Fetch-Site', 'cross-site');
      await sent.send({}).expect(403);
    }
  });

  test('comes after credentials that the request has of its own', async () => {
    const cookie = await cookieOf(server, administrator.username, administrator.password);
    const { body } = await ann.get(me).set('Cookie', cookie).expect(200);
    expect(body.id).toBe('ann');
  });

  test('is nothing when it was altered', async () => {
    const cookie = await cookieOf(server, 'ann');
    await server.anonymous
      .get(me)
      .set('Cookie', `${cookie.slice(0, -3)}abc`)
      .expect(401);
  });

  test.each([
    [
      'a new password',
      async (id: string) => {
        const properties = { password: 'another' };
        await server.request
          .put(`/api/v1/user/${id}`)
          .send({ 'entity-type': 'user', id, properties })
          .expect(200);
      },
    ],
    [
      'the end of all credentials',
      async (id: string) => {
        const query = `mutation { endCredentials(username: "${id}") }`;
        await server.request.post('/graphql').send({ query }).expect(200);
      },
    ],
    ['the deletion of its user', (id: string) => deleteUser(server, id)],
  ])('ends with %s', async (name, end) => {
    const id = await createUser(server, `user of ${name}`);
    const cookie = await cookieOf(server, id);
    await server.anonymous.get(me).set('Cookie', cookie).expect(200);
    await end(id);
    await server.anonymous.get(me).set('Cookie', cookie).expect(401);
  });

  test('is cleared by /logout, also when it is over', async () => {
    const ended = await cookieOf(server, await createUser(server, 'eve'));
    await deleteUser(server, 'eve');
    for (const cookie of [await cookieOf(server, 'ann'), ended, 'quire-session=over']) {
      const { headers } = await server.anonymous
        .post('/logout')
        .set('Cookie', cookie)
        .set('X-Requested-With', 'XMLHttpRequest')
        .expect(204);
      expect(String(headers['set-cookie'])).toContain('quire-session=; Path=/; Expires=Thu, 01 Jan 1970');
    }
  });
});
