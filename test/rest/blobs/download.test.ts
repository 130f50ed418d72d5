/** @group every-database */

import { rm, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { blobFile } from '../../support/blob-file.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import {
  blobIn,
  createBinary,
  createFile,
  createHello,
  createWithFiles,
  download,
  textIn,
} from './blob-requests.ts';

const server = useServer();
let file: DocumentEntity;
let at: string;
beforeAll(async () => {
  ({ file, at } = await createHello(server));
});

describe('§2.1 the bytes of a blob', () => {
  test.each(['', '/', '/file:content', '/file%3Acontent', '/blobholder:0'])(
    'are served at @blob%s',
    async (place) => {
      expect(textIn(await download(server, `${at}${place}`).expect(200))).toBe('hello world');
    },
  );

  test.each(['/api/v1/path', '/site/api/v1/path', '/api/v1/repo/default/path'])(
    'are served below %s, too',
    async (base) => {
      const address = `${base}${file.path}/@blob/file:content`;
      expect(textIn(await download(server, address).expect(200))).toBe('hello world');
    },
  );

  test('are served with a trailing slash after the xpath (§4)', async () => {
    await server.request.get(`${at}/file:content/`).expect(200);
  });

  test('are addressed by their index in a list', async () => {
    const { uid } = await createWithFiles(server, ['one', 'two']);
    const address = `/api/v1/id/${uid}/@blob/files:files`;
    expect(textIn(await download(server, `${address}/0/file`).expect(200))).toBe('one');
    expect(textIn(await download(server, `${address}/1/file`).expect(200))).toBe('two');
    await server.request.get(`${address}/2/file`).expect(404);
  });

  test('are served unchanged when binary', async () => {
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256);
    const { uid } = await createBinary(server, bytes, { mimeType: 'application/pdf' });
    const response = await download(server, `/api/v1/id/${uid}/@blob`).expect(200);
    expect(Buffer.compare(response.body as Buffer, bytes)).toBe(0);
    expect(response.headers['content-length']).toBe('70000');
  });

  test('cost at most two statements', async () => {
    expect(statements(await server.request.get(at).expect(200))).toBeLessThanOrEqual(2);
  });

  test('are served when Accept excludes JSON', async () => {
    await server.request.get(at).set('Accept', 'image/*').expect(200);
  });
});

describe('§4 HEAD of a blob', () => {
  test('answers with the headers of GET', async () => {
    const [get, head] = [await server.request.get(at).expect(200), await server.request.head(at).expect(200)];
    const names = ['content-type', 'content-length', 'content-disposition', 'etag', 'accept-ranges'];
    for (const name of names) expect([name, head.headers[name]]).toEqual([name, get.headers[name]]);
  });

  test('gives the length of a note in bytes', async () => {
    const { uid } = await createDocument(server, { type: 'Note', properties: { 'note:note': 'grüße' } });
    const { headers } = await server.request.head(`/api/v1/id/${uid}/@blob`).expect(200);
    expect(headers['content-length']).toBe('7');
  });

  test('answers 404 without a blob', async () => {
    const { uid } = await createDocument(server);
    await server.request.head(`/api/v1/id/${uid}/@blob`).expect(404);
  });
});

describe('§7 GET of a missing blob answers 404', () => {
  test.each(['', '/blobholder:0', '/file:content'])('at @blob%s of a File without content', async (place) => {
    const { uid } = await createDocument(server);
    const { body } = await server.request.get(`/api/v1/id/${uid}/@blob${place}`).expect(404);
    expect(body).toMatchObject({ 'entity-type': 'exception', status: 404 });
  });

  test.each([
    'file:nothing',
    'nothing:content',
    'content',
    'dc:title',
    'files:files',
    'files:files/0',
    'files:files/x/file',
    'files:files/-1/file',
    'file:content/name',
    'file:content/digest',
    'blobholder:1',
    'blobholder:x',
    'constructor:name',
    '__proto__',
    '..%2f..%2fetc%2fpasswd',
    'file:content%00',
  ])('at the xpath %s', async (xpath) => {
    await server.request.get(`${at}/${xpath}`).expect(404);
  });

  test('at @blob of a folder, which has no main blob', async () => {
    await server.request.get('/api/v1/path/default-domain/@blob').expect(404);
  });

  test('at @blob of a document that does not exist', async () => {
    await server.request.get('/api/v1/path/nowhere/@blob').expect(404);
    await server.request.get('/api/v1/id/00000000-0000-4000-8000-000000000000/@blob').expect(404);
  });
});

describe('§4 other requests to a blob', () => {
  test.each(['post', 'patch'] as const)('%s answers 405', async (verb) => {
    const { headers } = await server.request[verb](at).send('x').expect(405);
    expect(headers.allow).toContain('GET');
  });

  test('GET without credentials answers 401', async () => {
    await server.anonymous.get(at).expect(401);
  });
});

describe('§2.1 the main blob of a Note', () => {
  const note = 'Grüße\r\n\u2028<b>日本</b>\n\n  end ';
  const create = (properties: Record<string, unknown>) =>
    createDocument(server, { type: 'Note', properties });

  test('is its text, byte for byte', async () => {
    const { uid } = await create({ 'note:note': note });
    for (const place of ['', '/blobholder:0', '/note:note']) {
      const { body } = await download(server, `/api/v1/id/${uid}/@blob${place}`).expect(200);
      expect((body as Buffer).equals(Buffer.from(note, 'utf8'))).toBe(true);
    }
  });

  test('has the media type of the note, or text/plain', async () => {
    const html = await create({ 'note:note': note, 'note:mime_type': 'text/html' });
    const plain = await create({ 'note:note': note });
    const blank = await create({ 'note:note': note, 'note:mime_type': '' });
    const typeOf = async ({ uid }: DocumentEntity) =>
      (await download(server, `/api/v1/id/${uid}/@blob`).expect(200)).headers['content-type'];
    expect(await typeOf(html)).toBe('text/html; charset=UTF-8');
    expect(await typeOf(plain)).toBe('text/plain; charset=UTF-8');
    expect(await typeOf(blank)).toBe('text/plain; charset=UTF-8');
  });

  test.each(['text/html\r\nX-Evil: 1', 'text/中', 'nonsense'])(
    'is application/octet-stream when the note has the media type %j',
    async (type) => {
      const { uid } = await create({ 'note:note': note, 'note:mime_type': type });
      const { headers } = await download(server, `/api/v1/id/${uid}/@blob`).expect(200);
      expect(headers['content-type']).toBe('application/octet-stream');
      expect(headers).not.toHaveProperty('x-evil');
    },
  );

  test('has an ETag that changes with the text', async () => {
    const { uid } = await create({ 'note:note': 'one' });
    const at = `/api/v1/id/${uid}/@blob`;
    const { headers } = await server.request.get(at).expect(200);
    await server.request
      .get(at)
      .set('If-None-Match', headers.etag ?? '')
      .expect(304);
    const body = { 'entity-type': 'document', properties: { 'note:note': 'two' } };
    await server.request.put(`/api/v1/id/${uid}`).send(body).expect(200);
    await server.request
      .get(at)
      .set('If-None-Match', headers.etag ?? '')
      .expect(200);
  });

  test('does not exist without a text', async () => {
    const { uid } = await create({});
    await server.request.get(`/api/v1/id/${uid}/@blob`).expect(404);
  });

  test('can be empty', async () => {
    const { uid } = await create({ 'note:note': '' });
    expect(textIn(await download(server, `/api/v1/id/${uid}/@blob`).expect(200))).toBe('');
  });
});

describe('§7 a blob whose file is missing in the blob store', () => {
  test('answers 500 without its headers and logs the digest', async () => {
    const lost = await createFile(server, { content: 'soon lost', 'mime-type': 'image/png' });
    await rm(blobFile(server, blobIn(lost).digest));
    const { body, headers } = await server.request.get(`/api/v1/id/${lost.uid}/@blob`).expect(500);
    expect(body).toMatchObject({ status: 500, message: 'Internal Server Error' });
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(headers).not.toHaveProperty('etag');
    expect(JSON.stringify(server.logged)).toContain(blobIn(lost).digest);
  });
});

describe('§2.1 a blob whose file is no longer as long as it was', () => {
  test.each(['short', 'longer than what was kept'])(
    'ends the connection, and nothing else: %s',
    async (now) => {
      const damaged = await createFile(server, { content: `kept before ${now.length}` });
      const { digest } = blobIn(damaged);
      await writeFile(blobFile(server, digest), now);
      const address = `/api/v1/id/${damaged.uid}/@blob`;
      await expect(download(server, address)).rejects.toThrow(/aborted|socket hang up/);
      await until(() => JSON.stringify(server.logged).includes(digest)); // after the connection has ended
      expect(textIn(await download(server, at).expect(200))).toBe('hello world');
    },
  );
});
