import { beforeAll, describe, expect, test } from '@jest/globals';
import { startServer, useServer } from '../support/server.ts';
import { createUser } from '../support/users.ts';
import { exchange, landed, read, redirect, register, submit } from './flow.ts';

const server = useServer({ LOGIN_FAILURES: '1000' });
beforeAll(async () => {
  await createUser(server, 'ann');
  await register(server);
  await register(server, { clientId: 'trusted', name: 'Trusted', autoGrant: true });
  await register(server, { clientId: 'off', enabled: false });
  await register(server, { clientId: 'two', redirectURIs: [redirect, 'myapp:/back'] });
  await register(server, { clientId: 'query', redirectURIs: [`${redirect}?a=b%20c`] });
  await register(server, { clientId: '<b>', name: '<img src=x onerror="alert(1)"> & \'co\'' });
});

const request = { response_type: 'code', client_id: 'app', redirect_uri: redirect, state: 'a state' };
type Fields = Record<string, string | undefined>;

const authorize = (fields: Fields = {}, user?: string) => {
  const query = Object.entries({ ...request, ...fields }).filter(([, value]) => value !== undefined);
  const call = server.anonymous.get('/oauth2/authorize').query(Object.fromEntries(query));
  return user === undefined ? call : call.auth(user, 'secret');
};

describe('§5 GET /oauth2/authorize', () => {
  test('a request without credentials gets the log-in form, which repeats the parameters', async () => {
    const { text, headers } = await authorize().expect(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(text).toContain('action="/oauth2/log_in"');
    for (const [name, value] of Object.entries(request)) {
      expect(text).toContain(`<input type="hidden" name="${name}" value="${value}">`);
    }
    expect(text).toMatch(/<input name="password" type="password"/);
  });

  test('an authenticated request gets the consent page', async () => {
    const { text } = await authorize({}, 'ann').expect(200);
    expect(text).toContain('The app wants to access your account');
    expect(text).toContain('<strong>ann</strong>');
    expect(text).toContain('<strong>app.example.org</strong>');
    expect(text).toContain('action="/oauth2/authorize_submit"');
    expect(text).toMatch(/name="grant_access" value="0".*name="grant_access" value="1"/s);
  });

  test('wrong credentials are answered 401', async () => {
    await server.anonymous.get('/oauth2/authorize').query(request).auth('ann', 'wrong').expect(401);
  });

  test('the page runs no script, loads no resource and cannot be framed or cached', async () => {
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

  test('client names and parameters are escaped in the page', async () => {
    const { text } = await authorize({ client_id: '<b>', state: '"><script>alert(1)</script>' }, 'ann');
    expect(text).not.toMatch(/<img|<b>|<script/);
    expect(text).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &#39;co&#39;');
  });

  test('a client with autoGrant gets its code without consent once the user is authenticated', async () => {
    expect((await authorize({ client_id: 'trusted' }).expect(200)).text).toContain('Sign in');
    const response = await authorize({ client_id: 'trusted' }, 'ann').expect(302);
    const { code = '', state } = landed(response);
    expect(state).toBe('a state');
    const { body } = await exchange(server, code, { client_id: 'trusted' }).expect(200);
    await read(server, body.access_token).expect(200);
  });
});

describe('§5 an invalid client or redirect_uri: 400 without a redirect', () => {
  const wrong: Record<string, Fields> = {
    'no client_id': { client_id: undefined },
    'an unknown client': { client_id: 'nosuch' },
    'a client that is switched off': { client_id: 'off' },
    'a redirect_uri with an additional slash': { redirect_uri: `${redirect}/` },
    'a redirect_uri with a query': { redirect_uri: `${redirect}?x=1` },
    'a redirect_uri in another case': { redirect_uri: redirect.replace('app', 'APP') },
    'a redirect_uri that begins with the registered one': { redirect_uri: `${redirect}.evil.org` },
    'an unrelated redirect_uri': { redirect_uri: 'https://evil.example' },
    'no redirect_uri for a client with two': { client_id: 'two', redirect_uri: undefined },
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

  test('a browser gets an HTML page with escaped values', async () => {
    const { text, headers } = await authorize({ client_id: '<i>x' }).set('Accept', 'text/html,*/*;q=0.8');
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(text).toContain('&lt;i&gt;x');
    expect(text).not.toContain('<i>');
  });

  test('redirect_uri sent twice', async () => {
    const query = `${new URLSearchParams(request)}&redirect_uri=https://evil.example`;
    await server.anonymous.get(`/oauth2/authorize?${query}`).expect(400);
  });
});

describe('§5 an invalid authorization request', () => {
  test.each([
    [{ response_type: undefined }, 'invalid_request'],
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'nosuch' }, 'unsupported_response_type'],
    [{ code_challenge_method: 'S512', code_challenge: 'x' }, 'invalid_request'],
    [{ scope: 'a"b' }, 'invalid_scope'],
  ])('%j redirects to the client with %s, authenticated or not', async (fields, error) => {
    for (const response of [await authorize(fields), await submit(server, { ...request, ...fields })]) {
      expect(response.status).toBe(302);
      expect(response.headers.location).toMatch(/^https:\/\/app\.example\.org\/back\?/);
      expect(landed(response)).toMatchObject({ error, state: 'a state' });
      expect(landed(response)).not.toHaveProperty('code');
    }
  });
});

describe('§5 POST /oauth2/authorize_submit', () => {
  test('grant_access=1 redirects to the client with a code and the state', async () => {
    const response = await submit(server, { state: 'a state & more' }).expect(302);
    expect(response.headers.location).toMatch(/^https:\/\/app\.example\.org\/back\?code=[\w-]+&state=/);
    expect(landed(response)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'a state & more',
    });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  test('a request without state redirects without state', async () => {
    expect(Object.keys(landed(await submit(server).expect(302)))).toEqual(['code']);
  });

  test.each(['0', undefined, 'true', '2'])(
    'grant_access=%s redirects to the client with access_denied',
    async (answer) => {
      const response = await submit(server, { grant_access: answer, state: 's' }).expect(302);
      expect(landed(response)).toEqual({
        error: 'access_denied',
        error_description: expect.any(String),
        state: 's',
      });
    },
  );

  test('redirect_uri may be omitted if the client has only one', async () => {
    const response = await submit(server, { redirect_uri: undefined }).expect(302);
    expect(response.headers.location?.startsWith(`${redirect}?code=`)).toBe(true);
  });

  test('redirect URIs with a scheme of their own or a query are kept unchanged', async () => {
    const own = await submit(server, { client_id: 'two', redirect_uri: 'myapp:/back' }).expect(302);
    expect(own.headers.location).toMatch(/^myapp:\/back\?code=/);
    const fields = { client_id: 'query', redirect_uri: `${redirect}?a=b%20c` };
    const query = await submit(server, fields).expect(302);
    expect(query.headers.location?.startsWith(`${redirect}?a=b%20c&code=`)).toBe(true);
  });

  test('parameters are accepted in the query string', async () => {
    const response = await server.anonymous
      .post('/oauth2/authorize_submit')
      .query({ ...request })
      .auth('ann', 'secret')
      .type('form')
      .send({ grant_access: '1' })
      .expect(302);
    expect(landed(response)).toHaveProperty('code');
  });

  test('grant_access is not accepted in the query string', async () => {
    const response = await server.anonymous
      .post('/oauth2/authorize_submit')
      .query({ ...request, grant_access: '1' })
      .auth('ann', 'secret')
      .expect(302);
    expect(landed(response)).toMatchObject({ error: 'access_denied' });
  });

  test('a request without credentials is answered 401, a browser is redirected to the log-in', async () => {
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

  test('wrong credentials are answered 401', async () => {
    await submit(server, {}, 'nobody').expect(401);
  });

  test('other verbs are answered 405', async () => {
    for (const path of ['/oauth2/authorize_submit', '/oauth2/log_in']) {
      expect((await server.anonymous.get(path).expect(405)).headers.allow).toBe('POST');
    }
    expect((await server.anonymous.post('/oauth2/authorize').expect(405)).headers.allow).toBe('GET, HEAD');
  });
});

describe('§5 a post that a browser sends from another site: 403', () => {
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

  test('posts of the same origin and posts without these headers are accepted', async () => {
    const Host = 'localhost:8080';
    await from({ Host, Origin: `http://${Host}`, 'Sec-Fetch-Site': 'same-origin' }).expect(302);
    await from({ 'Sec-Fetch-Site': 'none' }).expect(302);
    await from({}).expect(302);
  });

  test('the origin of PUBLIC_URL is accepted', async () => {
    await using own = await startServer({
      PUBLIC_URL: 'https://quire.example.org',
      ADMIN_PASSWORD: 'another',
    });
    await createUser(own, 'ann');
    await register(own);
    await submit(own).set('Origin', 'https://quire.example.org').expect(302);
    await submit(own).set('Origin', 'https://evil.example').expect(403);
  });
});

test('§5 without oauth2 in AUTH_CHAIN /oauth2 is answered 404', async () => {
  await using own = await startServer({ AUTH_CHAIN: 'basic,token' });
  await own.anonymous.get('/oauth2/authorize').query(request).expect(404);
  await own.anonymous.post('/oauth2/token').expect(404);
});

test('§5 /oauth2 is served below CONTEXT_PATH only', async () => {
  await using own = await startServer({ CONTEXT_PATH: '/nuxeo' });
  await register(own);
  const { text } = await own.anonymous.get('/nuxeo/oauth2/authorize').query(request).expect(200);
  expect(text).toContain('action="/nuxeo/oauth2/log_in"');
  await own.anonymous.get('/oauth2/authorize').query(request).expect(404);
});

describe('RFC 8252: redirects to a program on the computer of the user', () => {
  const landing = async (client_id: string, redirect_uri: string) =>
    authorize({ client_id, redirect_uri }, 'ann').then(({ status }) => status);

  beforeAll(async () => {
    await register(server, {
      clientId: 'native',
      redirectURIs: ['http://127.0.0.1/back', 'http://[::1]:80/back'],
    });
  });

  test.each(['http://127.0.0.1/back', 'http://127.0.0.1:51004/back', 'http://[::1]:51004/back'])(
    'accepts any port of a registered loopback URI: %s',
    async (uri) => {
      expect(await landing('native', uri)).toBe(200);
      const response = await submit(server, { client_id: 'native', redirect_uri: uri });
      expect(response.headers.location).toMatch(new RegExp(`^${uri.replace(/[[\]]/g, '\\$&')}\\?code=`));
      const { code = '' } = landed(response);
      await exchange(server, code, { client_id: 'native', redirect_uri: uri }).expect(200);
    },
  );

  test('exchanges the code only with the port to which it was sent', async () => {
    const { code = '' } = landed(
      await submit(server, { client_id: 'native', redirect_uri: 'http://127.0.0.1:51004/back' }),
    );
    await exchange(server, code, { client_id: 'native', redirect_uri: 'http://127.0.0.1:51005/back' }).expect(
      400,
    );
  });

  test.each([
    'http://127.0.0.1:51004/other',
    'http://localhost:51004/back',
    'https://127.0.0.1:51004/back',
    'http://127.0.0.1:51004/back#fragment',
    'http://127.0.0.1:51004/back?next=1',
    'http://ann@127.0.0.1:51004/back',
    'http://127.0.0.1:51004@evil.example.org/back',
    'http://127.0.0.1\\@evil.example.org/back',
    'http://127.0.0.1.evil.example.org:51004/back',
    `http://127.0.0.1:51004/back${'x'.repeat(3_000)}`,
  ])('refuses a URI that differs in more than the port: %s', async (uri) => {
    expect(await landing('native', uri)).toBe(400);
  });

  test('refuses another port of a URI that is not loopback', async () => {
    expect(await landing('app', redirect.replace('.org', '.org:8443'))).toBe(400);
  });
});
