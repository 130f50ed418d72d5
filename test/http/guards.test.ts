import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../support/documents.ts';
import { startServer, useServer } from '../support/server.ts';

const origin = 'https://app.example.org';
const server = useServer();
const open = useServer({ CORS_ORIGINS: `${origin},http://localhost:3000` });
const exposed = useServer({ HOST: '0.0.0.0', ADMIN_PASSWORD: 'another' });

describe('security headers', () => {
  test.each(['/api/v1/path/', '/api/v1/nowhere', '/graphql', '/metrics'])('%s has them', async (address) => {
    const { headers } = await server.request.get(address);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-frame-options']).toBe('SAMEORIGIN');
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-powered-by']).toBeUndefined();
  });

  test('the content security policy of JSON answers allows no source', async () => {
    const { headers } = await server.request.get('/api/v1/path/');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
  });
});

test('OPTIONS that is no preflight lists the verbs, with CORS_ORIGINS too', async () => {
  const { headers } = await open.request.options('/api/v1/user').set('Origin', origin).expect(204);
  expect(headers.allow).toContain('POST');
  await open.request.options('/api/v1/nonsense').expect(404);
  const preflight = { Origin: origin, 'Access-Control-Request-Method': 'PUT' };
  const answer = await open.anonymous.options('/api/v1/user').set(preflight).expect(204);
  expect(answer.headers['access-control-allow-origin']).toBe(origin);
});

describe('compression', () => {
  const asked = { 'Accept-Encoding': 'gzip' };

  test('answers over 1 kB are compressed on request', async () => {
    const { headers, body } = await server.request.get('/api/v1/config/schemas').set(asked);
    expect(headers['content-encoding']).toBe('gzip');
    expect(body['entity-type']).toBe('schemas');
  });

  test('small answers and answers without Accept-Encoding are not compressed', async () => {
    const small = await server.request.get('/api/v1/config/facets/Folderish').set(asked);
    expect(small.headers['content-encoding']).toBeUndefined();
    const plain = await server.request.get('/api/v1/config/schemas').set('Accept-Encoding', 'identity');
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  test('blobs and their ranges are never compressed', async () => {
    const content = 'a line of text\n'.repeat(500);
    const { uid } = await createDocument(server, {
      properties: { 'file:content': { content, name: 'a.txt', 'mime-type': 'text/plain' } },
    });
    const whole = await server.request.get(`/api/v1/id/${uid}/@blob`).set(asked).expect(200);
    expect(whole.headers['content-encoding']).toBeUndefined();
    expect(whole.headers['content-length']).toBe(String(content.length));
    const part = await server.request
      .get(`/api/v1/id/${uid}/@blob`)
      .set({ ...asked, Range: 'bytes=0-3999' })
      .expect(206);
    expect(part.headers['content-encoding']).toBeUndefined();
    expect(part.headers['content-length']).toBe('4000');
  });
});

describe('CORS', () => {
  test('other origins are not allowed unless listed', async () => {
    const { headers } = await server.request.get('/api/v1/path/').set('Origin', origin);
    expect(headers['access-control-allow-origin']).toBeUndefined();
    const named = await open.request.get('/api/v1/path/').set('Origin', 'https://evil.example.org');
    expect(named.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('a listed origin is allowed, with credentials and exposed headers', async () => {
    const { headers } = await open.request.get('/api/v1/path/').set('Origin', origin).expect(200);
    expect(headers['access-control-allow-origin']).toBe(origin);
    expect(headers['access-control-allow-credentials']).toBe('true');
    expect(headers['access-control-expose-headers']).toContain('ETag');
    expect(headers['access-control-expose-headers']).toContain('Location');
    expect(headers.vary).toContain('Origin');
  });

  test('answers to requests without Accept-Encoding vary by origin and encoding', async () => {
    for (const path of ['/api/v1/path/', '/api/v1/nowhere', '/metrics']) {
      const { headers } = await open.request.get(path).set({ Origin: origin, 'Accept-Encoding': '' });
      expect(headers.vary).toMatch(/^Origin, Accept-Encoding/);
    }
  });

  test('a preflight needs no credentials', async () => {
    const { headers } = await open.anonymous
      .options('/api/v1/path/default-domain')
      .set({
        Origin: origin,
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'properties',
      })
      .expect(204);
    expect(headers['access-control-allow-methods']).toContain('PUT');
    expect(headers['access-control-allow-headers']).toBe('properties');
  });
});

describe('a preflight of an origin that is not listed', () => {
  test.each([
    ['without CORS_ORIGINS', () => server],
    ['with other ones', () => open],
  ])('is 403 and names the setting, %s', async (_, serverOf) => {
    const preflight = { Origin: 'https://other.example.org', 'Access-Control-Request-Method': 'GET' };
    const { body, headers } = await serverOf().anonymous.options('/api/v1/path/').set(preflight).expect(403);
    expect(body).toEqual({
      'entity-type': 'exception',
      status: 403,
      message:
        'Pages from https://other.example.org cannot call this server, because CORS_ORIGINS does not include this origin. Ask the administrator of the server to add it.',
      requestId: expect.any(String),
    });
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('requests that browsers send from other sites', () => {
  const foreign = 'https://evil.example.org';
  const writes = [
    ['post', '/api/v1/user/Administrator/group/members'],
    ['post', '/api/v1/token?application=evil'],
    ['put', '/api/v1/path/default-domain'],
    ['delete', '/api/v1/path/default-domain'],
    ['post', '/api/v1/automation/Log'],
    ['post', '/graphql'],
    ['post', '/nowhere'],
  ] as const;

  test.each(writes)('%s %s is refused, in spite of valid credentials', async (method, address) => {
    for (const headers of [
      { Origin: foreign },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: foreign, 'Sec-Fetch-Site': 'same-origin' },
    ]) {
      const { status, body } = await server.request[method](address).set(headers).type('form').send('x=1');
      const { message } = body.errors?.[0] ?? body;
      expect([status, message]).toEqual([403, 'Requests from pages of other sites are not allowed.']);
    }
  });

  test('a refused write has no effect', async () => {
    const { body } = await server.request.get('/api/v1/user/Administrator').expect(200);
    expect(body.properties.groups).toEqual(['administrators']);
  });

  test('writes of the same origin, of programs and of listed origins are accepted', async () => {
    const url = '/api/v1/automation/Log';
    const body = { params: { message: 'hello' } };
    await server.request.post(url).send(body).expect(204);
    const own = (host: string) => ({
      Host: host,
      Origin: `https://${host}`,
      'Sec-Fetch-Site': 'same-origin',
    });
    await server.request.post(url).set(own('localhost')).send(body).expect(204);
    await exposed.request.post(url).set(own('quire.example.org')).send(body).expect(204);
    for (const [host, origin, status] of [
      ['quire.example.org:443', 'https://quire.example.org', 204],
      ['Quire.Example.ORG', 'https://quire.example.org', 204],
      ['quire.example.org:80', 'http://quire.example.org', 204],
      ['quire.example.org:8443', 'https://quire.example.org:8443', 204],
      ['quire.example.org:443', 'http://quire.example.org', 403],
      ['quire.example.org:8443', 'https://quire.example.org', 403],
      ['quire.example.org:x', 'https://quire.example.org', 403],
    ] as const)
      await exposed.request.post(url).set({ Host: host, Origin: origin }).send(body).expect(status);
    await server.request.post(url).set({ 'Sec-Fetch-Site': 'none' }).send(body).expect(204);
    const named = { Origin: origin, 'Sec-Fetch-Site': 'cross-site' };
    await open.request.post(url).set(named).send(body).expect(204);
    await open.request
      .post(url)
      .set({ ...named, Origin: foreign })
      .send(body)
      .expect(403);
  });

  test('reads are answered', async () => {
    await server.request
      .get('/api/v1/me')
      .set({ Origin: foreign, 'Sec-Fetch-Site': 'cross-site' })
      .expect(200);
  });

  const device = { applicationName: 'app', deviceId: 'd', permission: 'rw' };
  const byGet = [
    ['§5 GET /authentication/token, which makes a login token,', '/authentication/token', device, 201],
    ['§5 with revoke=true, which ends it,', '/authentication/token', { ...device, revoke: 'true' }, 202],
    ['§2.6 GET /logout, which is logged,', '/logout', {}, 204],
  ] as const;

  test.each(byGet)('%s is refused', async (_, address, query, status) => {
    const send = (headers: Record<string, string>) => server.request.get(address).query(query).set(headers);
    for (const headers of [{ Origin: foreign }, { 'Sec-Fetch-Site': 'cross-site' }] as Record<
      string,
      string
    >[]) {
      const { body } = await send(headers).expect(403);
      expect(body.message).toBe('Requests from pages of other sites are not allowed.');
      await server.request.head(address).query(query).set(headers).expect(403);
      await server.request.get(address.toUpperCase()).query(query).set(headers).expect(403);
    }
    await send({ 'Sec-Fetch-Site': 'none' }).expect(status);
  });
});

describe('a browser that reaches a server of this computer', () => {
  const names = ['localhost', 'localhost:8080', '127.0.0.1:8080', '127.0.0.2', '[::1]:8080', 'LOCALHOST'];
  test.each(names)('as %s is answered', async (host) => {
    const headers = { Host: host, Origin: `http://${host}`.toLowerCase() };
    await server.request.get('/api/v1/me').set(headers).expect(200);
    await server.request.get('/api/v1/me').set({ Host: host, 'Sec-Fetch-Site': 'same-origin' }).expect(200);
  });

  const others = [
    'evil.org',
    'evil.org:80',
    'localhost.evil.org',
    '127.0.0.1.evil.org',
    'a@evil.org',
    '[::2]',
  ];
  test.each(others)('as %s is refused, and a program is not', async (host) => {
    const asked = () => server.request.post('/api/v1/automation/Log').send({ params: { message: 'hello' } });
    for (const headers of [
      { Host: host, Origin: `http://${host}` },
      { Host: host, 'Sec-Fetch-Site': 'same-origin' },
    ] as Record<string, string>[]) {
      const { body } = await asked().set(headers).expect(403);
      const reason = `Browsers can reach this server only as localhost, not as ${host}. To use another name, set PUBLIC_URL.`;
      expect(body.message).toBe(reason);
      await server.request.get('/api/v1/me').set(headers).expect(403);
    }
    await asked().set({ Host: host }).expect(204);
  });

  test.each([
    { HOST: '192.0.2.1' },
    { PUBLIC_URL: 'https://quire.example.org' },
    { TRUST_PROXY: '1' },
  ] as Record<string, string>[])('is answered by any name with %j', async (settings) => {
    await using own = await startServer({ ...settings, ADMIN_PASSWORD: 'another' });
    const headers = { Host: 'quire.example.org', Origin: 'https://quire.example.org' };
    await own.request
      .post('/api/v1/automation/Log')
      .send({ params: { message: 'x' } })
      .set(headers)
      .expect(204);
  });
});
