import { request as send } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { authorization } from '../../support/administrator.ts';
import { useServer } from '../../support/server.ts';
import { atDirectory, createEntry, entryBody } from './directory-requests.ts';

const server = useServer();
let port: number;
beforeAll(async () => {
  port = await server.listen();
});

/** Sends a request to an address unchanged; client libraries would normalize it. */
function raw(method: string, path: string, body?: object): Promise<{ status: number; id?: string }> {
  const headers = {
    Authorization: authorization,
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
  'a/b',
  'a//b',
  '/a',
  '//',
  'a/',
  'a//',
  '/',
  'a%2Fb',
  '100%',
  '%',
  '%00',
  'a b',
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
  '__proto__',
  'constructor',
  '0',
  '-1',
  'x'.repeat(1000),
];

describe('§4.5 ids of entries', () => {
  test.each(strange)('%j is accepted unchanged by POST, GET, PUT and DELETE', async (id) => {
    const { body } = await server.request
      .post(atDirectory('nature'))
      .send(entryBody('nature', { properties: { id } }));
    const address = atDirectory('nature', id);
    expect(body).toMatchObject({ id, properties: { id } });
    expect(await raw('GET', address)).toMatchObject({ status: 200, id });
    const change = entryBody('nature', { id, properties: { id, label: 'L' } });
    expect(await raw('PUT', address, change)).toMatchObject({ status: 200, id });
    expect(await raw('DELETE', address)).toEqual({ status: 204 });
    expect(await raw('GET', address)).toMatchObject({ status: 404 });
  });

  test('are stored in NFC, without blanks around them, and found in both forms', async () => {
    const { body } = await server.request
      .post(atDirectory('nature'))
      .send(entryBody('nature', { properties: { id: ' e\u0301te\u0301 ' } }))
      .expect(201);
    expect(body).toMatchObject({ id: '\u00e9t\u00e9', properties: { id: '\u00e9t\u00e9' } });
    for (const id of ['\u00e9t\u00e9', 'e\u0301te\u0301'])
      expect(await raw('GET', atDirectory('nature', id))).toMatchObject({ status: 200, id: '\u00e9t\u00e9' });
    await server.request
      .post(atDirectory('nature'))
      .send(entryBody('nature', { properties: { id: '\u00e9t\u00e9' } }))
      .expect(500);
  });

  test.each(['a\tb', 'a\nb', '\u0085'])('%j has a control character, and is 400', async (id) => {
    const { body } = await server.request
      .post(atDirectory('nature'))
      .send(entryBody('nature', { properties: { id } }))
      .expect(400);
    expect(body.message).toMatch(/control character|missing/);
  });

  test('a slash in an id need not be encoded', async () => {
    for (const id of ['raw/a', 'raw//a', 'raw/a/b/c']) {
      await createEntry(server, 'nature', { id });
      expect(await raw('GET', `/api/v1/directory/nature/${id}`)).toMatchObject({ status: 200, id });
      expect(await raw('GET', `/api/v1/repo/default/directory/nature/${id}`)).toMatchObject({ id });
    }
  });

  test('an @ in an id need not be encoded, because entries have no adapters', async () => {
    for (const id of ['@raw', 'b/@children']) {
      await createEntry(server, 'nature', { id });
      expect(await raw('GET', `/api/v1/directory/nature/${id}`)).toMatchObject({ status: 200, id });
    }
  });

  test('an id is looked up unchanged first, then without its trailing slash', async () => {
    await createEntry(server, 'nature', { id: 'one' });
    const found = (id: string, method = 'GET') => raw(method, `/api/v1/directory/nature/${id}`);
    expect(await found('one/')).toMatchObject({ status: 200, id: 'one' });
    expect(await found('one%2F')).toMatchObject({ status: 200, id: 'one' });
    expect(await found('one//')).toMatchObject({ status: 404 });
    await createEntry(server, 'nature', { id: 'one/' });
    expect(await found('one/')).toMatchObject({ status: 200, id: 'one/' });
    expect(await found('one//')).toMatchObject({ status: 200, id: 'one/' });
    const change = entryBody('nature', { id: 'one/', properties: { label: 'slash' } });
    expect(await raw('PUT', '/api/v1/directory/nature/one/', change)).toMatchObject({ id: 'one/' });
    expect(await found('one/', 'DELETE')).toEqual({ status: 204 });
    expect(await found('one/')).toMatchObject({ status: 200, id: 'one' });
    expect(await found('one/', 'DELETE')).toEqual({ status: 204 });
    expect(await found('one')).toMatchObject({ status: 404 });
  });

  test('ids that differ in case or accents are different', async () => {
    const ids = ['Same', 'same', 'sam\u00e9'];
    for (const id of ids) await createEntry(server, 'nature', { id, label: id });
    for (const id of ids) {
      const { body } = await server.request.get(atDirectory('nature', id)).expect(200);
      expect(body.properties.label).toBe(id);
    }
  });

  test('a trailing slash after the directory is ignored', async () => {
    expect(await raw('GET', '/api/v1/directory/nature/')).toMatchObject({
      status: 200,
      resultsCount: expect.any(Number),
    });
    expect(await raw('GET', '/api/v1/directory/')).toMatchObject({
      status: 200,
      'entity-type': 'directories',
    });
  });

  test('an id longer than 1000 bytes answers 400', async () => {
    for (const id of ['x'.repeat(1001), 'é'.repeat(501)]) {
      const { body } = await server.request
        .post(atDirectory('nature'))
        .send(entryBody('nature', { properties: { id } }))
        .expect(400);
      expect(body.message).toContain('1000 bytes');
    }
  });

  test('an invalid percent-encoding in the URL answers 400', async () => {
    expect(await raw('GET', '/api/v1/directory/nature/%zz')).toMatchObject({ status: 400 });
    expect(await raw('GET', '/api/v1/directory/nature/a/%ff')).toMatchObject({ status: 400 });
  });

  test('any generated id returns its own entry', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
    const ids = text.map((id) => id.normalize('NFC').trim()).filter((id) => id !== '' && !/\p{Cc}/u.test(id));
    await fc.assert(
      fc.asyncProperty(ids, async (id) => {
        const body = entryBody('predicates', { properties: { id, label: id } });
        await server.request.post(atDirectory('predicates')).send(body).expect(201);
        const encoded = `/api/v1/directory/predicates/${encodeURIComponent(id)}`;
        expect(await raw('GET', encoded)).toMatchObject({ status: 200, id, properties: { label: id } });
        expect(await raw('DELETE', encoded)).toEqual({ status: 204 });
      }),
      { numRuns: 20 },
    );
  });
});
