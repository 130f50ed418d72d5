/** @group slow */

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { unzipSync } from 'fflate';
import { openBlobStore } from '../../../src/blobs/open-blob-store.ts';
import { readConfig } from '../../../src/config.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { type S3Server, startS3Server } from '../../support/s3-server.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { beginUpload, cut, send, uploaded } from '../uploads/upload-requests.ts';
import { blobIn, createFile, download } from './blob-requests.ts';

let s3: S3Server;
let server: TestServer;
beforeAll(async () => {
  s3 = await startS3Server();
  server = await startServer({ BLOB_STORE: s3.address('kept') });
});
afterAll(async () => {
  await server.stop();
  await s3[Symbol.asyncDispose]();
});

afterEach(() => {
  s3.intercept = undefined;
  jest.restoreAllMocks();
});

const content = Buffer.alloc(11 * 1024 * 1024, 'a file in chunks ');

/** Creates a File of a file that came in chunks. */
async function createChunked(): Promise<DocumentEntity> {
  const batch = await beginUpload(server.request);
  for (const chunk of cut(content, 2, 'long.txt')) await send(server.request, batch, 0, chunk);
  return createDocument(server, { properties: { 'file:content': uploaded(batch, 0) } });
}

describe('§4.7 with blobs in S3, a file in chunks', () => {
  test('is put together in the store, of its chunks', async () => {
    s3.requests.length = 0;
    const { uid } = await createChunked();
    const copied = s3.requests.filter((request) => request.includes('partNumber='));
    expect(copied).toHaveLength(2);
    const at = `/api/v1/id/${uid}/@blob`;
    const { headers, body } = await download(server, at).expect(200);
    expect((body as Buffer).equals(content)).toBe(true);
    expect(headers).toMatchObject({
      'content-length': String(content.length),
      'accept-ranges': 'bytes',
      'content-disposition': 'attachment; filename=long.txt',
    });
    expect(await readdir(join(server.dataDir, 'spool'))).toEqual([]);
  });

  test('is put together by the server where the store cannot', async () => {
    s3.copiesParts = false;
    const batch = await beginUpload(server.request);
    const bytes = Buffer.concat([content, Buffer.from('and more')]);
    for (const chunk of cut(bytes, 2)) await send(server.request, batch, 0, chunk);
    const { uid } = await createDocument(server, { properties: { 'file:content': uploaded(batch, 0) } });
    const { body } = await download(server, `/api/v1/id/${uid}/@blob`).expect(200);
    expect((body as Buffer).equals(bytes)).toBe(true);
    s3.copiesParts = true;
  });
});

describe('§2.1 with blobs in S3', () => {
  test('ranges are those of the store', async () => {
    const { uid } = await createChunked();
    s3.requests.length = 0;
    const request = download(server, `/api/v1/id/${uid}/@blob`).set('Range', 'bytes=5000000-5000016');
    const { headers, body } = await request.expect(206);
    expect(headers['content-range']).toBe(`bytes 5000000-5000016/${content.length}`);
    expect((body as Buffer).equals(content.subarray(5_000_000, 5_000_017))).toBe(true);
    expect(s3.requests.filter((each) => each.startsWith('GET'))).toHaveLength(1);
    await server.request.head(`/api/v1/id/${uid}/@blob`).expect(200);
  });

  test('§10 what is made of files is, too, and archives have the bytes', async () => {
    const html = { content: '<p>words of a page</p>', 'mime-type': 'text/html', name: 'page.html' };
    const { uid } = await createFile(server, html);
    const converted = await download(server, `/api/v1/id/${uid}/@convert?type=text/plain`).expect(200);
    expect(String(converted.body)).toContain('words of a page');
    const { body } = await download(server, `/api/v1/id/${uid}/@rendition/zipExport`).expect(200);
    expect(Buffer.from(unzipSync(body as Buffer)['page.html'] ?? []).toString()).toBe(html.content);
    expect(await readdir(join(server.dataDir, 'spool'))).toEqual([]);
  });
});

describe('BLOB_REDIRECT', () => {
  test('answers downloads with an address of the store, for a minute', async () => {
    await using other = await startServer({ BLOB_STORE: s3.address('kept'), BLOB_REDIRECT: 'true' });
    const file = await createFile(other, { content: 'elsewhere', name: 'où.html', 'mime-type': 'text/html' });
    const at = `/api/v1/id/${file.uid}/@blob`;
    const { headers } = await other.request.get(at).redirects(0).expect(302);
    expect(headers['cache-control']).toBe('no-store');
    const address = new URL(headers.location ?? '');
    expect(address.searchParams.get('X-Amz-Expires')).toBe('60');
    const answer = await fetch(address);
    expect([answer.status, await answer.text()]).toEqual([200, 'elsewhere']);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=UTF-8');
    expect(answer.headers.get('content-disposition')).toBe(
      'attachment; filename="o?.html"; filename*=UTF-8\'\'o%C3%B9.html',
    );
    await other.request.get(`/nxfile/default/${file.uid}/file:content/x`).redirects(0).expect(302);
    const tag = `"${blobIn(file).digest}"`;
    await other.request.get(at).set('If-None-Match', tag).expect(304);
    await other.request.get(at).set('If-Match', '"other"').expect(412);
    expect((await other.request.get(at).set('Want-Digest', 'md5').expect(200)).text).toBe('elsewhere');
    await other.request.get(`${at}?inline=true`).expect(200);
    await other.request.head(at).expect(200);
    await other.anonymous.get(at).expect(401);
    await other.journal.flush();
    const logged = await other.database.prisma.logEntry.findMany({ where: { eventId: 'download' } });
    expect(logged.map(({ docUuid }) => docUuid)).toContain(file.uid);
  });

  test('has no effect with a folder, which the log says', async () => {
    await using other = await startServer({ BLOB_REDIRECT: 'true' });
    const { uid } = await createFile(other, { content: 'here' });
    await other.request.get(`/api/v1/id/${uid}/@blob`).redirects(0).expect(200);
    expect(JSON.stringify(other.logged)).toContain('BLOB_REDIRECT has no effect');
  });
});

describe('§7 a store that is away', () => {
  test.each([503, 'nothing', 403] as const)(
    'is 503 for bytes (%s), and documents are read on',
    async (answer) => {
      const file = await createFile(server, { content: `before ${answer}` });
      const at = `/api/v1/id/${file.uid}`;
      s3.intercept = () => answer;
      const { headers, body } = await server.request.get(`${at}/@blob`).expect(503);
      expect(headers['retry-after']).toBe('5');
      expect(body).toMatchObject({
        status: 503,
        message: 'The blob store does not respond, or rejects the request. Try again later.',
      });
      await createRefused();
      const clock = performance.now();
      jest.spyOn(performance, 'now').mockReturnValue(clock); // the store is left alone for some seconds
      await server.request.get(`${at}/@blob`).expect(503);
      const asked = s3.requests.length;
      await Promise.all(Array.from({ length: 20 }, () => server.request.get(`${at}/@blob`).expect(503)));
      jest.restoreAllMocks();
      expect(s3.requests.length - asked).toBe(answer === 403 ? 20 : 0); // a refusal is not to be waited for
      expect((await server.request.get(at).expect(200)).body.uid).toBe(file.uid);
      await server.request.get('/health/ready').expect(200);
      const probes = await server.request.get('/api/v1/management/probes').expect(200);
      expect(JSON.stringify(probes.body)).toContain('failed; see the server log for the reason');
      s3.intercept = undefined;
      await until(async () => (await server.request.get(`${at}/@blob`)).status === 200);
      expect(JSON.stringify(server.logged)).not.toContain('unexpected error');
    },
  );

  async function createRefused(): Promise<void> {
    const properties = { 'file:content': { content: 'refused' } };
    const body = { 'entity-type': 'document', type: 'File', name: 'refused', properties };
    await server.request.post('/api/v1/path/default-domain').send(body).expect(503);
    await server.request.get('/api/v1/path/default-domain/refused').expect(404);
  }

  test('is tried again before a request fails', async () => {
    let faults = 2;
    const isPut = (request: string) => request.startsWith('PUT');
    s3.intercept = (request) => (isPut(request) && faults-- > 0 ? 500 : undefined);
    const { uid } = await createFile(server, { content: 'tried again'.repeat(50_000) });
    expect(faults).toBeLessThan(0);
    faults = 2;
    s3.intercept = () => (faults-- > 0 ? 500 : undefined);
    await server.request.get(`/api/v1/id/${uid}/@blob`).expect(200);
    expect(faults).toBeLessThan(0);
    s3.intercept = undefined;
  });
});

test('a bucket that is not there, or refuses the server, ends the start', async () => {
  const open = (bucket: string) => {
    const BLOB_STORE = s3.address('x').replace('//quire/', `//${bucket}/`);
    return openBlobStore(readConfig({ DATA_DIR: server.dataDir, BLOB_STORE }));
  };
  const fault = 'BLOB_STORE: the bucket "none" cannot be used';
  await expect(open('none')).rejects.toThrow(`${fault}: 404`);
  s3.intercept = () => 403;
  await expect(open('none')).rejects.toThrow(`${fault}: 403`);
  s3.intercept = () => 503; // may come back
  await open('none');
});
