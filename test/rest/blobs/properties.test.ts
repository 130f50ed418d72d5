import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createDocument } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { blobIn, createBinary, createFile, createWithFiles, download, local } from './blob-requests.ts';

const server = useServer();

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('§2.1 a blob in the properties of a document', () => {
  test('has exactly these fields', async () => {
    const body = {
      'entity-type': 'document',
      type: 'File',
      name: 'fields',
      properties: {
        'file:content': { content: 'grüße', name: 'a.txt', 'mime-type': 'text/csv', encoding: 'UTF-8' },
      },
    };
    const { body: document } = await server.request
      .post('/api/v1/path/default-domain/workspaces')
      .set('Host', 'content.example:8443')
      .send(body)
      .expect(201);
    const { uid, changeToken } = document;
    const url = `http://content.example:8443/api/v1/repo/default/id/${uid}/@blob/file:content?changeToken=${changeToken}`;
    expect(document.properties['file:content']).toEqual({
      name: 'a.txt',
      'mime-type': 'text/csv',
      encoding: 'UTF-8',
      digestAlgorithm: 'SHA-256',
      digest: sha256('grüße'),
      length: '7',
      data: url,
      blobUrl: url,
    });
  });

  test('is null when unset', async () => {
    const { properties } = await createDocument(server);
    expect(properties['file:content']).toBeNull();
    expect(properties['files:files']).toEqual([]);
  });

  test('has its list index in the address', async () => {
    const { uid, properties } = await createWithFiles(server, ['one', 'two']);
    const files = properties['files:files'] as Array<{ file: { data: string; digest: string } }>;
    expect(files.map(({ file }) => new URL(file.data).pathname)).toEqual([
      `/api/v1/repo/default/id/${uid}/@blob/files:files/0/file`,
      `/api/v1/repo/default/id/${uid}/@blob/files:files/1/file`,
    ]);
    expect(files.map(({ file }) => file.digest)).toEqual([sha256('one'), sha256('two')]);
  });

  test('has an address for blobs of other schemas, too', async () => {
    const { uid, properties } = await createDocument(server, {
      type: 'Picture',
      properties: { 'picture:views': [{ title: 'Small', content: { content: 'x' } }] },
    });
    const [view] = properties['picture:views'] as Array<{ content: { data: string } }>;
    expect(new URL(view?.content.data ?? '').pathname).toBe(
      `/api/v1/repo/default/id/${uid}/@blob/picture:views/0/content`,
    );
  });

  test('costs no additional statement', async () => {
    const bare = await createDocument(server);
    const full = await createWithFiles(server, ['one', 'two', 'three', 'four']);
    const [one, other] = await Promise.all(
      [bare, full].map(({ uid }) => server.request.get(`/api/v1/id/${uid}`).expect(200)),
    );
    expect(statements(other as never)).toBe(statements(one as never));
  });

  test('has addresses that return its bytes', async () => {
    const document = await createFile(server, { content: 'grüße' });
    const { data, blobUrl } = blobIn(document);
    for (const url of [data, blobUrl]) {
      const { body } = await download(server, local(url)).expect(200);
      expect((body as Buffer).toString()).toBe('grüße');
    }
  });

  test('has an address that ignores the change token', async () => {
    const { uid } = await createFile(server, { content: 'x' });
    const address = `/api/v1/repo/default/id/${uid}/@blob/file:content`;
    for (const query of ['?changeToken=99-99', '?changeToken=nonsense', '']) {
      await server.request.get(`${address}${query}`).expect(200);
    }
  });

  test('can have no encoding', async () => {
    const document = await createBinary(server, Uint8Array.of(0, 255, 13, 10), { mimeType: 'image/png' });
    expect(blobIn(document)).toMatchObject({ encoding: null, 'mime-type': 'image/png', length: '4' });
  });
});

describe('§2.1 a blob sent as inline text', () => {
  test('is plain text in UTF-8 without a name by default', async () => {
    const blob = blobIn(await createFile(server, { content: 'x' }));
    expect(blob).toMatchObject({ name: null, 'mime-type': 'text/plain', encoding: 'UTF-8' });
  });

  test('can be empty', async () => {
    const document = await createFile(server, { content: '' });
    expect(blobIn(document)).toMatchObject({ length: '0', digest: sha256('') });
    const { body } = await download(server, local(blobIn(document).data)).expect(200);
    expect(body).toHaveLength(0);
  });

  test('has the default values for null fields', async () => {
    const blob = { content: 'x', data: null, name: null, 'mime-type': null, encoding: null, digest: null };
    expect(blobIn(await createFile(server, blob))).toMatchObject({
      name: null,
      'mime-type': 'text/plain',
      encoding: 'UTF-8',
    });
  });

  test('keeps any name', async () => {
    const name = '  ../Grüße; "日本".txt\n';
    expect(blobIn(await createFile(server, { content: 'x', name })).name).toBe(name);
  });

  test('ignores digest, length and blobUrl of the body', async () => {
    const given = { content: 'x', digest: 'f'.repeat(64), length: '1000', blobUrl: 'http://example.org/' };
    const blob = blobIn(await createFile(server, given));
    expect(blob).toMatchObject({ digest: sha256('x'), length: '1' });
    expect(blob.blobUrl).not.toContain('example.org');
  });

  test('returns generated texts unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (text) => {
        const content = text.replaceAll('\0', '');
        const document = await createFile(server, { content });
        const { body } = await download(server, local(blobIn(document).data)).expect(200);
        expect((body as Buffer).toString()).toBe(content);
        expect(blobIn(document).length).toBe(String((body as Buffer).byteLength));
      }),
      { numRuns: 25 },
    );
  });
});
