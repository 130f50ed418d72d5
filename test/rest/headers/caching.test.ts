import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { start, type TestServer } from '../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const varies = (response: { headers: Record<string, string> }): string[] =>
  (response.headers.vary ?? '').toLowerCase().split(/, */);

describe('§4.1 caches', () => {
  test.each([
    '/path/default-domain',
    '/path/default-domain/@children',
    '/config/facets',
    '/config/types/File',
  ])('GET %s is for the caller alone and is revalidated', async (address) => {
    const response = await server.request.get(`/api/v1${address}`).expect(200);
    expect(response.headers['cache-control']).toBe('private, no-cache');
  });

  test('so is the 204 of something missing', async () => {
    const response = await server.request.get('/api/v1/config/facets/nosuch').expect(204);
    expect(response.headers['cache-control']).toBe('private, no-cache');
  });

  test('an error is not kept at all', async () => {
    const response = await server.request.get('/api/v1/path/nosuch').expect(404);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers).not.toHaveProperty('etag');
  });

  test('Vary names what may shape an answer', async () => {
    const response = await server.request.get('/api/v1/path/').expect(200);
    for (const name of [
      'accept',
      'authorization',
      'repository',
      'depth',
      'properties',
      'enrichers.document',
    ]) {
      expect(varies(response)).toContain(name);
    }
  });

  test.each([
    ['X-NXproperties', 'uid'],
    ['X-NXDocumentProperties', 'uid'],
    ['X-NXdepth', 'root'],
    ['X-NXRepository', 'default'],
    ['fetch-document', 'dc:creator'],
    ['X-NXenrichers.document', 'acls'],
    ['X-NXContext-Category', 'acls'],
    ['X-NXtranslate.directoryEntry', 'label'],
  ])('Vary names %s when that spelling shaped the answer', async (name, value) => {
    const without = await server.request.get('/api/v1/path/').expect(200);
    expect(varies(without)).not.toContain(name.toLowerCase());
    const response = await server.request.get('/api/v1/path/').set(name, value).expect(200);
    expect(varies(response)).toContain(name.toLowerCase());
  });

  test('the ETag tells one shape from another, and not one spelling from another', async () => {
    const etag = async (headers: Record<string, string>) =>
      (await server.request.get('/api/v1/path/').set(headers).expect(200)).headers.etag;
    expect(await etag({ properties: 'dublincore' })).not.toBe(await etag({}));
    expect(await etag({ properties: 'dublincore,common' })).toBe(
      await etag({ 'X-NXproperties': 'common, dublincore' }),
    );
    expect(await etag({ depth: 'CHILDREN' })).toBe(await etag({}));
  });
});
