import { describe, expect, test } from '@jest/globals';
import { administrator } from '../support/administrator.ts';
import { startServer, useServer } from '../support/server.ts';

const server = useServer({ CONTEXT_PATH: '/nuxeo' });
const at = (path: string, query: Record<string, string | string[]> = {}) =>
  server.request.get(`/nuxeo${path}`).query(query);

describe('the sign-in page of existing clients', () => {
  test.each(['/login.jsp', '/startup'])('%s has the browser ask for name and password', async (path) => {
    const { headers, text } = await server.anonymous.get(`/nuxeo${path}`).expect(401);
    expect(headers['www-authenticate']).toMatch(/^Basic /);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect(headers['cache-control']).toBe('no-store');
    expect(text).toContain('Sign in');
  });

  test('says so when they are wrong, and asks again', async () => {
    const { headers, text } = await server.anonymous
      .get('/nuxeo/login.jsp')
      .auth(administrator.username, 'wrong')
      .expect(401);
    expect(headers['www-authenticate']).toMatch(/^Basic /);
    expect(text).toContain('The user name or the password is wrong.');
  });

  test('greets who is signed in', async () => {
    const { text } = await at('/startup').expect(200);
    expect(text).toContain(`signed in as <strong>${administrator.username}</strong>`);
  });

  test.each([
    ['ui/#!/browse/', '/nuxeo/ui/#!/browse/'],
    ['/nuxeo/ui/?a=b', '/nuxeo/ui/?a=b'],
    ['http://own.invalid/x', '/x'],
  ])('then leads to requestedUrl=%s', async (requestedUrl, address) => {
    const { headers } = await at('/login.jsp', { requestedUrl }).expect(303);
    expect(headers.location).toBe(address);
  });

  test.each([
    'https://evil.example.org/',
    '//evil.example.org/',
    '/.//evil.example.org/',
    '\\\\evil.example.org',
    '/\t/evil.example.org',
    'javascript:alert(1)',
    'http://',
    '',
  ])('never leads to requestedUrl=%j', async (requestedUrl) => {
    await at('/login.jsp', { requestedUrl }).expect(200);
  });

  test('takes one requestedUrl, and no POST', async () => {
    await at('/login.jsp', { requestedUrl: ['a', 'b'] }).expect(200);
    const { headers } = await server.request.post('/nuxeo/login.jsp').expect(405);
    expect(headers.allow).toBe('GET, HEAD');
  });

  test('asks for no password where AUTH_CHAIN takes none', async () => {
    await using closed = await startServer({ AUTH_CHAIN: 'token' });
    const { headers, text } = await closed.anonymous.get('/login.jsp').expect(401);
    expect(headers).not.toHaveProperty('www-authenticate');
    expect(text).toContain('does not accept passwords');
  });
});

describe('§2.6 /logout in a browser', () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

  test('answers with a page that leads to the sign-in form', async () => {
    const { headers, text } = await server.anonymous.get('/nuxeo/logout').set('Accept', accept).expect(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['set-cookie']?.[0]).toMatch(/^quire-log-in=;/);
    expect(text).toContain('Signed out');
    expect(text).toContain('<a href="/nuxeo/">Sign in again</a>');
  });

  test.each([
    { Accept: 'application/json' },
    { Accept: '*/*' },
    { Accept: accept, 'X-Requested-With': 'XMLHttpRequest' },
  ])('answers programs without one: %j', async (headers) => {
    await server.anonymous.get('/nuxeo/logout').set(headers).expect(204);
  });
});
