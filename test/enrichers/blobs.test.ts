import { describe, expect, test } from '@jest/globals';
import { createDocument } from '../support/documents.ts';
import { statements, useServer } from '../support/server.ts';

const server = useServer();

interface Enriched {
  readonly preview?: { readonly url: string | null };
  readonly appLinks?: readonly unknown[];
}

const shown = async (uid: string, headers: Record<string, string>) => {
  const response = await server.request.get(`/api/v1/id/${uid}`).set(headers).expect(200);
  const { properties } = response.body;
  const files = [properties['file:content'], ...properties['files:files'].map(({ file }: never) => file)];
  return { response, blobs: files as Enriched[] };
};

const withFiles = () =>
  createDocument(server, {
    properties: {
      'file:content': { content: 'text', name: 'a.txt' },
      'files:files': [
        { file: { content: 'x', name: 'x.bin', 'mime-type': 'application/octet-stream' } },
        { file: { content: 'y', name: 'y.txt' } },
      ],
    },
  });

describe('§4.9 enrichers.blob', () => {
  test('adds the address of the preview to each blob, and applications', async () => {
    const { uid } = await withFiles();
    const { blobs, response } = await shown(uid, { 'enrichers.blob': 'preview, appLinks, odd' });
    expect(blobs.map(({ preview }) => typeof preview?.url)).toEqual(['string', 'object', 'string']);
    expect(blobs[1]?.preview).toEqual({ url: null });
    for (const { appLinks } of blobs) expect(appLinks).toEqual([]);
    for (const { preview } of blobs) {
      if (!preview?.url) continue;
      const { pathname, search } = new URL(preview.url);
      await server.request
        .get(pathname + search)
        .expect(200)
        .expect('Content-Type', /^text\/html/);
    }
    expect(response.body).not.toHaveProperty('contextParameters');
    expect(response.headers.vary).toContain('enrichers.blob');
    const plain = await shown(uid, {});
    expect(statements(response)).toBe(statements(plain.response));
  });

  test('adds nothing when it is not asked for, and nothing that there is not', async () => {
    const { uid } = await withFiles();
    const plain = await shown(uid, {});
    expect(plain.blobs[0]).not.toHaveProperty('preview');
    const odd = await shown(uid, { 'enrichers-blob': 'odd' });
    expect(odd.blobs.map(Object.keys)).toEqual(plain.blobs.map(Object.keys));
    expect(odd.response.body).not.toHaveProperty('contextParameters');
    const strict = { 'enrichers.blob': 'odd', Prefer: 'handling=strict' };
    await server.request.get(`/api/v1/id/${uid}`).set(strict).expect(400);
  });

  test('goes with schemas and fetched properties', async () => {
    const { uid } = await withFiles();
    const { body } = await server.request
      .get(`/api/v1/id/${uid}`)
      .set({ 'enrichers.blob': 'preview', properties: 'file', 'fetch.document': 'dc:creator' })
      .expect(200);
    expect(Object.keys(body.properties['file:content'])).toContain('preview');
  });
});
