import { existsSync } from 'node:fs';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { sweepBlobs } from '../../../src/store/blobs/sweep-blobs.ts';
import { blobFile } from '../../support/blob-file.ts';
import { createDocument } from '../../support/documents.ts';
import { call, callAt } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';

const server = useServer({ BODY_LIMIT: '2kb', UPLOAD_LIMIT: '300kb' });
const blobOf = async (uid: string) =>
  (await server.request.get(`/api/v1/id/${uid}`).expect(200)).body.properties['file:content'];

describe('§4.7 @op with blobs', () => {
  const blobs = [{ content: 'x', name: 'x.txt', type: 'text/plain' }];

  test('applies to the document of the URL and ignores the parameter document', async () => {
    const { uid, path } = await createDocument(server);
    for (const address of [`/id/${uid}`, `/path${path}`]) {
      const params = { document: '/nosuch' };
      await callAt(server.request, `/api/v1${address}/@op/Blob.Attach`, { params, blobs }).expect(200);
    }
    const folder = await createDocument(server, { type: 'Folder' });
    const address = `/api/v1/path${folder.path}/@op/FileManager.Import`;
    const { body } = await callAt(server.request, address, { blobs }).expect(200);
    expect(body.path).toBe(`${folder.path}/x.txt`);
    await callAt(server.request, '/api/v1/path/nosuch/@op/FileManager.Import', { blobs }).expect(404);
    await callAt(server.request, address, {}).expect(400);
  });
});

describe('§9 headers of a call with blobs', () => {
  const blobs = [{ content: 'once', name: 'once.txt' }];

  test('Idempotency-Key compares the bytes and the names of blobs', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const given = { context: { currentDocument: folder.path }, blobs };
    const send = (more = {}) =>
      call(server.request, 'FileManager.Import', { ...given, ...more }).set('Idempotency-Key', 'blobs');
    const [first, again] = [await send().expect(200), await send().expect(200)];
    expect(again.body).toEqual(first.body);
    await send({ blobs: [{ content: 'other', name: 'once.txt' }] }).expect(422);
    await send({ blobs: [{ content: 'once', name: 'other.txt' }] }).expect(422);
    const { body } = await server.request.get(`/api/v1/path${folder.path}/@children`).expect(200);
    expect(body.resultsCount).toBe(1);
  });

  test('X-SvcVoidOperation gives 204 after the work', async () => {
    const { uid } = await createDocument(server);
    const sent = call(server.request, 'Blob.AttachOnDocument', { params: { document: uid }, blobs });
    await sent.set('X-SvcVoidOperation', 'true').expect(204);
    expect(await blobOf(uid)).toMatchObject({ name: 'once.txt' });
  });
});

describe('§4.7 a blob of a call', () => {
  const unfinished = () => readdir(join(server.dataDir, 'blobs', 'unfinished'));

  test('is swept after the call has failed', async () => {
    const given = { params: { document: '/nosuch' }, blobs: [{ content: 'never kept', name: 'a' }] };
    const { digest } = await server.blobs.write([Buffer.from('never kept')]);
    const file = blobFile(server, digest);
    await sweepBlobs(server.database, server.blobs, 0);
    expect(existsSync(file)).toBe(false);
    await call(server.request, 'Blob.AttachOnDocument', given).expect(404);
    expect(existsSync(file)).toBe(true);
    const then = new Date(Date.now() - 2 * 86_400_000);
    await utimes(file, then, then);
    await sweepBlobs(server.database, server.blobs);
    expect(existsSync(file)).toBe(false);
    expect(await unfinished()).toEqual([]);
  });

  test('is kept from the moment that a call refers to it', async () => {
    const { digest } = await server.blobs.write([Buffer.from('by name')]);
    const then = new Date(Date.now() - 2 * 86_400_000);
    await utimes(blobFile(server, digest), then, then);
    expect(await server.blobs.renew(digest)).toBe(7);
    await sweepBlobs(server.database, server.blobs);
    expect(existsSync(blobFile(server, digest))).toBe(true);
  });
});

describe('Blobs in GraphQL', () => {
  const ask = async (given: string) => {
    const { uid } = await createDocument(server);
    const query = `mutation { blobAttachOnDocument(document: "${uid}", input: {blobs: [${given}]}) {
      kind blob { name mimeType length } } }`;
    return (await server.request.post('/graphql').send({ query })).body;
  };

  test('are referred to by their digests', async () => {
    const { digest } = await server.blobs.write([Buffer.from('stored')]);
    const { data } = await ask(`{digest: "${digest}", name: "a.txt", mimeType: "text/plain"}`);
    expect(data.blobAttachOnDocument).toEqual({
      kind: 'blob',
      blob: { name: 'a.txt', mimeType: 'text/plain', length: 6 },
    });
  });

  test.each(['../../etc/passwd', '', 'f'.repeat(64)])(
    'are INVALID with the unknown digest %j',
    async (digest) => {
      const { errors } = await ask(`{digest: "${digest}"}`);
      expect(errors[0]).toMatchObject({ extensions: { code: 'INVALID' } });
      expect(errors[0].message).toMatch(/^input: there is no blob /);
    },
  );
});
