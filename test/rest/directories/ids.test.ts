import { createServer, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { start, type TestServer } from '../../support/server.ts';
import { at, createEntry, entry } from './requests.ts';

let server: TestServer;
let http: Server;
beforeAll(async () => {
  server = await start();
  http = createServer(server.app);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => http.close(resolve));
  await server.stop();
});

/** Asks for an address as it stands: what client libraries would tidy up before they send it. */
function raw(method: string, path: string, body?: object): Promise<{ status: number; id?: string }> {
  const { port } = http.address() as AddressInfo;
  const headers = {
    Authorization: `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}`,
    Connection: 'close',
    ...(body && { 'Content-Type': 'application/json' }),
  };
  return new Promise((resolve, reject) => {
    const sent = send({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, ...(text && JSON.parse(text)) }));
    });
    sent.on('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

const strange = [
  ...['a/b', 'a//b', '/a', '//', 'a/', 'a//', '/', 'a%2Fb', '100%', '%', '%00', 'a b', ' lead', 'trail '],
  ...[
    '@a',
    'a@b',
    '@children',
    '@blob/x',
    'ä',
    '日本語',
    '🗝',
    'é',
    'a?b',
    'a#b',
    'a&b=c',
    'a+b',
    'a;b',
    'a,b',
  ],
  ...[
    '"q"',
    "'q'",
    '\\',
    '<a>',
    '{*path}',
    ':id',
    '$1',
    '.',
    '..',
    './a',
    '../a',
    'a/../b',
    'null',
    'a\tb',
    'a\nb',
  ],
  ...['__proto__', 'constructor', '0', '-1', 'x'.repeat(1000)],
];

describe('§4.5 ids of entries', () => {
  test.each(strange)('%j is kept, found, changed and removed as it stands', async (id) => {
    const { body } = await server.request.post(at('nature')).send(entry('nature', { properties: { id } }));
    const address = at('nature', id);
    expect(body).toMatchObject({ id, properties: { id } });
    expect(await raw('GET', address)).toMatchObject({ status: 200, id });
    const change = entry('nature', { id, properties: { id, label: 'L' } });
    expect(await raw('PUT', address, change)).toMatchObject({ status: 200, id });
    expect(await raw('DELETE', address)).toEqual({ status: 204 });
    expect(await raw('GET', address)).toMatchObject({ status: 404 });
  });

  test('a slash may stand raw', async () => {
    for (const id of ['raw/a', 'raw//a', 'raw/a/b/c']) {
      await createEntry(server, 'nature', { id });
      expect(await raw('GET', `/api/v1/directory/nature/${id}`)).toMatchObject({ status: 200, id });
      expect(await raw('GET', `/api/v1/repo/default/directory/nature/${id}`)).toMatchObject({ id });
    }
  });

  test('an @ may stand raw: entries have no adapters', async () => {
    for (const id of ['@raw', 'b/@children']) {
      await createEntry(server, 'nature', { id });
      expect(await raw('GET', `/api/v1/directory/nature/${id}`)).toMatchObject({ status: 200, id });
    }
  });

  test('an id is looked up as it stands, then without its trailing slash', async () => {
    await createEntry(server, 'nature', { id: 'one' });
    const found = (id: string, method = 'GET') => raw(method, `/api/v1/directory/nature/${id}`);
    expect(await found('one/')).toMatchObject({ status: 200, id: 'one' });
    expect(await found('one%2F')).toMatchObject({ status: 200, id: 'one' });
    expect(await found('one//')).toMatchObject({ status: 404 });
    await createEntry(server, 'nature', { id: 'one/' });
    expect(await found('one/')).toMatchObject({ status: 200, id: 'one/' });
    expect(await found('one//')).toMatchObject({ status: 200, id: 'one/' });
    const change = entry('nature', { id: 'one/', properties: { label: 'slash' } });
    expect(await raw('PUT', '/api/v1/directory/nature/one/', change)).toMatchObject({ id: 'one/' });
    expect(await found('one/', 'DELETE')).toEqual({ status: 204 });
    expect(await found('one/')).toMatchObject({ status: 200, id: 'one' });
    expect(await found('one/', 'DELETE')).toEqual({ status: 204 });
    expect(await found('one')).toMatchObject({ status: 404 });
  });

  test('case, composition and blanks tell ids apart', async () => {
    const ids = ['Same', 'same', 'same ', 'e\u0301', '\u00e9'];
    for (const id of ids) await createEntry(server, 'nature', { id, label: id });
    for (const id of ids) {
      const { body } = await server.request.get(at('nature', id)).expect(200);
      expect(body.properties.label).toBe(id);
    }
  });

  test('a slash behind the directory makes no difference', async () => {
    expect(await raw('GET', '/api/v1/directory/nature/')).toMatchObject({
      status: 200,
      resultsCount: expect.any(Number),
    });
    expect(await raw('GET', '/api/v1/directory/')).toMatchObject({
      status: 200,
      'entity-type': 'directories',
    });
  });

  test('one that is longer than 1000 bytes is 400', async () => {
    for (const id of ['x'.repeat(1001), 'é'.repeat(501)]) {
      const { body } = await server.request
        .post(at('nature'))
        .send(entry('nature', { properties: { id } }))
        .expect(400);
      expect(body.message).toContain('1000 bytes');
    }
  });

  test('an address that is not percent-encoded correctly is 400', async () => {
    expect(await raw('GET', '/api/v1/directory/nature/%zz')).toMatchObject({ status: 400 });
    expect(await raw('GET', '/api/v1/directory/nature/a/%ff')).toMatchObject({ status: 400 });
  });

  test('any text that is an id leads to its entry and to no other', async () => {
    const ids = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((id) => id.trim() !== '');
    await fc.assert(
      fc.asyncProperty(ids, async (id) => {
        const body = entry('predicates', { properties: { id, label: id } });
        await server.request.post(at('predicates')).send(body).expect(201);
        const encoded = `/api/v1/directory/predicates/${encodeURIComponent(id)}`;
        expect(await raw('GET', encoded)).toMatchObject({ status: 200, id, properties: { label: id } });
        expect(await raw('DELETE', encoded)).toEqual({ status: 204 });
      }),
      { numRuns: 60 },
    );
  });
});
