import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { start, type TestServer } from '../support/server.ts';
import { createUser } from '../support/users.ts';
import { exchange, landed, read, redirect, register, submit } from './flow.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start({ LOGIN_FAILURES: '1000' });
  await createUser(server, 'ann');
  await register(server);
  await register(server, { clientId: 'trusted', name: 'Trusted', autoGrant: true });
  await register(server, { clientId: 'off', enabled: false });
  await register(server, { clientId: 'two', redirectURIs: [redirect, 'myapp:/back'] });
  await register(server, { clientId: 'query', redirectURIs: [`${redirect}?a=b%20c`] });
  await register(server, { clientId: '<b>', name: '<img src=x onerror="alert(1)"> & \'co\'' });
});
afterAll(() => server.stop());

const request = { response_type: 'code', client_id: 'app', redirect_uri: redirect, state: 'a state' };
type Fields = Record<string, string | undefined>;

const authorize = (fields: Fields = {}, user?: string) => {
  const query = Object.entries({ ...request, ...fields }).filter(([, value]) => value !== undefined);
  const call = server.anonymous.get('/oauth2/authorize').query(Object.fromEntries(query));
  return user === undefined ? call : call.auth(user, 'secret');
};

describe('§5 GET /oauth2/authorize', () => {
  test('asks who is there first: a form, with what was asked', async () => {
    const { text, headers } = await authorize().expect(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(text).toContain('action="/oauth2/log_in"');
    for (const [name, value] of Object.entries(request)) {
      expect(text).toContain(`<input type="hidden" name="${name}" value="${value}">`);
    }
    expect(text).toMatch(/<input name="password" type="password"/);
  });

  test('asks the question of whoever brings credentials', async () => {
    const { text } = await authorize({}, 'ann').expect(200);
    expect(text).toContain('The app asks for access');
    expect(text).toContain('<strong>ann</strong>');
    expect(text).toContain('<strong>app.example.org</strong>');
    expect(text).toContain('action="/oauth2/authorize_submit"');
    expect(text).toMatch(/name="grant_access" value="0".*name="grant_access" value="1"/s);
  });

  test('wrong credentials: 401', async () => {
    await server.anonymous.get('/oauth2/authorize').query(request).auth('ann', 'wrong').expect(401);
  });

  test('the page runs nothing, loads nothing, is framed by nobody and kept by nobody', async () => {
    const { text, headers } = await authorize({}, 'ann').expect(200);
    const policy = headers['content-security-policy'];
    expect(policy).toMatch(/default-src 'none'/);
    expect(policy).toMatch(/frame-ancestors 'none'/);
    expect(policy).toMatch(/style-src 'sha256-[\w+/=]+'/);
    expect(policy).toMatch(/form-action 'self' https:\/\/app\.example\.org(;|$)/);
    expect(policy).not.toMatch(/unsafe/);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['referrer-policy']).toBe('same-origin');
    expect(text).not.toMatch(/<script|<link|<img|src=|url\(|@import/);
  });

  test('names of users and clients are text', async () => {
    const { text } = await authorize({ client_id: '<b>', state: '"><script>alert(1)</script>' }, 'ann');
    expect(text).not.toMatch(/<img|<b>|<script/);
    expect(text).toContain('&#60;img src=x onerror=&#34;alert(1)&#34;&#62; &#38; &#39;co&#39;');
  });

  test('a client with autoGrant is not asked about, once somebody is there', async () => {
    expect((await authorize({ client_id: 'trusted' }).expect(200)).text).toContain('Log in');
    const response = await authorize({ client_id: 'trusted' }, 'ann').expect(302);
    const { code = '', state } = landed(response);
    expect(state).toBe('a state');
    const { body } = await exchange(server, code, { client_id: 'trusted' }).expect(200);
    await read(server, body.access_token).expect(200);
  });
});

describe('§5 a request that nobody can answer: 400, no redirect', () => {
  const wrong: Record<string, Fields> = {
    'no client_id': { client_id: undefined },
    'a client nobody registered': { client_id: 'nosuch' },
    'a client that is switched off': { client_id: 'off' },
    'a redirect_uri with a slash more': { redirect_uri: `${redirect}/` },
    'one with a query': { redirect_uri: `${redirect}?x=1` },
    'one of another case': { redirect_uri: redirect.replace('app', 'APP') },
    'one that begins like it': { redirect_uri: `${redirect}.evil.org` },
    'another one altogether': { redirect_uri: 'https://evil.example' },
    'none, where there are two': { client_id: 'two', redirect_uri: undefined },
  };

  test.each(Object.entries(wrong))('%s', async (_, fields) => {
    for (const response of [
      await authorize(fields).expect(400),
      await authorize(fields, 'ann').expect(400),
      await submit(server, { ...request, ...fields }).expect(400),
    ]) {
      expect(response.headers).not.toHaveProperty('location');
      expect(response.body).toEqual({ error: 'invalid_request', error_description: expect.any(String) });
    }
  });

  test('is a page for people', async () => {
    const { text, headers } = await authorize({ client_id: '<i>x' }).set('Accept', 'text/html,*/*;q=0.8');
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(text).toContain('&#60;i&#62;x');
    expect(text).not.toContain('<i>');
  });

  test('parameters given twice', async () => {
    const query = `${new URLSearchParams(request)}&redirect_uri=https://evil.example`;
    await server.anonymous.get(`/oauth2/authorize?${query}`).expect(400);
  });
});

describe('§5 a request that the client hears is wrong', () => {
  test.each([
    [{ response_type: undefined }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'nosuch' }, 'unsupported_response_type'],
    [{ code_challenge_method: 'S512', code_challenge: 'x' }, 'invalid_request'],
    [{ scope: 'a"b' }, 'invalid_scope'],
  ])('%j: back to it with %s, whoever is there', async (fields, error) => {
    for (const response of [await authorize(fields), await submit(server, { ...request, ...fields })]) {
      expect(response.status).toBe(302);
      expect(response.headers.location).toMatch(/^https:\/\/app\.example\.org\/back\?/);
      expect(landed(response)).toMatchObject({ error, state: 'a state' });
      expect(landed(response)).not.toHaveProperty('code');
    }
  });
});

describe('§5 POST /oauth2/authorize_submit', () => {
  test('grant_access=1 leads back with a code, and state', async () => {
    const response = await submit(server, { state: 'a state & more' }).expect(302);
    expect(response.headers.location).toMatch(/^https:\/\/app\.example\.org\/back\?code=[\w-]+&state=/);
    expect(landed(response)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'a state & more',
    });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  test('without state there is none', async () => {
    expect(Object.keys(landed(await submit(server).expect(302)))).toEqual(['code']);
  });

  test.each(['0', undefined, 'true', '2'])(
    'grant_access=%s leads back with access_denied',
    async (answer) => {
      const response = await submit(server, { grant_access: answer, state: 's' }).expect(302);
      expect(landed(response)).toEqual({
        error: 'access_denied',
        error_description: expect.any(String),
        state: 's',
      });
    },
  );

  test('the only registered address may be left out', async () => {
    const response = await submit(server, { redirect_uri: undefined }).expect(302);
    expect(response.headers.location?.startsWith(`${redirect}?code=`)).toBe(true);
  });

  test('an application’s own address, and one with a query, are kept as they are', async () => {
    const own = await submit(server, { client_id: 'two', redirect_uri: 'myapp:/back' }).expect(302);
    expect(own.headers.location).toMatch(/^myapp:\/back\?code=/);
    const fields = { client_id: 'query', redirect_uri: `${redirect}?a=b%20c` };
    const query = await submit(server, fields).expect(302);
    expect(query.headers.location?.startsWith(`${redirect}?a=b%20c&code=`)).toBe(true);
  });

  test('parameters may stand in the address', async () => {
    const response = await server.anonymous
      .post('/oauth2/authorize_submit')
      .query({ ...request })
      .auth('ann', 'secret')
      .type('form')
      .send({ grant_access: '1' })
      .expect(302);
    expect(landed(response)).toHaveProperty('code');
  });

  test('but not the answer: an address alone consents to nothing', async () => {
    const response = await server.anonymous
      .post('/oauth2/authorize_submit')
      .query({ ...request, grant_access: '1' })
      .auth('ann', 'secret')
      .expect(302);
    expect(landed(response)).toMatchObject({ error: 'access_denied' });
  });

  test('without credentials: 401 for programs, the log-in for people', async () => {
    const post = () =>
      server.anonymous
        .post('/oauth2/authorize_submit')
        .type('form')
        .send({ ...request, grant_access: '1' });
    await post().expect(401);
    const { headers } = await post().set('Accept', 'text/html').expect(303);
    expect(headers.location).toMatch(/^\/oauth2\/authorize\?response_type=code&client_id=app&/);
    expect(headers.location).not.toContain('grant_access');
  });

  test('with wrong credentials: 401', async () => {
    await submit(server, {}, 'nobody').expect(401);
  });

  test('GET, and any other verb: 405', async () => {
    for (const path of ['/oauth2/authorize_submit', '/oauth2/log_in']) {
      expect((await server.anonymous.get(path).expect(405)).headers.allow).toBe('POST');
    }
    expect((await server.anonymous.post('/oauth2/authorize').expect(405)).headers.allow).toBe('GET, HEAD');
  });
});

describe('§5 a post that a browser sent from another site: 403', () => {
  const from = (headers: Record<string, string>) => submit(server).set(headers);

  test.each([
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://127.0.0.1' },
    { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://evil.example' },
  ])('%j', async (headers) => {
    const response = await from(headers as Record<string, string>).expect(403);
    expect(response.headers).not.toHaveProperty('location');
    const form = { ...request, username: 'ann', password: 'secret' };
    await server.anonymous.post('/oauth2/log_in').type('form').set(headers).send(form).expect(403);
  });

  test('one from here, and one from a program, are served', async () => {
    const Host = 'quire.example:8080';
    await from({ Host, Origin: `http://${Host}`, 'Sec-Fetch-Site': 'same-origin' }).expect(302);
    await from({ 'Sec-Fetch-Site': 'none' }).expect(302);
    await from({}).expect(302);
  });

  test('PUBLIC_URL is here, too', async () => {
    const own = await start({ PUBLIC_URL: 'https://quire.example.org' });
    try {
      await createUser(own, 'ann');
      await register(own);
      await submit(own).set('Origin', 'https://quire.example.org').expect(302);
      await submit(own).set('Origin', 'https://evil.example').expect(403);
    } finally {
      await own.stop();
    }
  });
});

test('§5 without oauth2 in AUTH_CHAIN there is nothing of it', async () => {
  const own = await start({ AUTH_CHAIN: 'basic,token' });
  try {
    await own.anonymous.get('/oauth2/authorize').query(request).expect(404);
    await own.anonymous.post('/oauth2/token').expect(404);
  } finally {
    await own.stop();
  }
});

test('§5 all of it is below the application context', async () => {
  const own = await start({ CONTEXT_PATH: '/nuxeo' });
  try {
    await register(own);
    const { text } = await own.anonymous.get('/nuxeo/oauth2/authorize').query(request).expect(200);
    expect(text).toContain('action="/nuxeo/oauth2/log_in"');
    await own.anonymous.get('/oauth2/authorize').query(request).expect(404);
  } finally {
    await own.stop();
  }
});
