import { describe, expect, test } from '@jest/globals';
import { useServer } from '../../../support/server.ts';

const server = useServer();

const varies = (response: { headers: Record<string, string> }): string[] =>
  (response.headers.vary ?? '').toLowerCase().split(/, */);

describe('§4.1 the cache headers', () => {
  test.each([
    '/path/default-domain',
    '/path/default-domain/@children',
    '/config/facets',
    '/config/types/File',
  ])('GET %s answers Cache-Control: private, no-cache', async (address) => {
    const response = await server.request.get(`/api/v1${address}`).expect(200);
    expect(response.headers['cache-control']).toBe('private, no-cache');
  });

  test('a 204 for a missing resource answers Cache-Control: private, no-cache', async () => {
    const response = await server.request.get('/api/v1/config/facets/nosuch').expect(204);
    expect(response.headers['cache-control']).toBe('private, no-cache');
  });

  test('an error answers Cache-Control: no-store and has no ETag', async () => {
    const response = await server.request.get('/api/v1/path/nosuch').expect(404);
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.headers).not.toHaveProperty('etag');
  });

  test('Vary contains the headers that can shape an answer', async () => {
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
  ])('Vary contains %s when the request uses that spelling', async (name, value) => {
    const without = await server.request.get('/api/v1/path/').expect(200);
    expect(varies(without)).not.toContain(name.toLowerCase());
    const response = await server.request.get('/api/v1/path/').set(name, value).expect(200);
    expect(varies(response)).toContain(name.toLowerCase());
  });

  test('Vary names each header once', async () => {
    const headers = {
      properties: 'uid',
      depth: 'root',
      'enrichers.document': 'acls',
      'enrichers-document': 'acls',
      'translate.directoryEntry': 'label',
    };
    const response = await server.request.get('/api/v1/path/').set(headers).expect(200);
    expect(varies(response)).toEqual([...new Set(varies(response))]);
    expect(varies(response)).toEqual(
      expect.arrayContaining(Object.keys(headers).map((name) => name.toLowerCase())),
    );
  });

  test('the ETag depends on the shape of the answer, not on the spelling of headers', async () => {
    const etag = async (headers: Record<string, string>) =>
      (await server.request.get('/api/v1/path/').set(headers).expect(200)).headers.etag;
    expect(await etag({ properties: 'dublincore' })).not.toBe(await etag({}));
    expect(await etag({ properties: 'dublincore,common' })).toBe(
      await etag({ 'X-NXproperties': 'common, dublincore' }),
    );
    expect(await etag({ depth: 'CHILDREN' })).toBe(await etag({}));
  });
});
