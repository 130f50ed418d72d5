import { existsSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { sweepBlobs } from '../../../src/store/blobs/sweep-blobs.ts';
import { deleteOldUploads } from '../../../src/store/uploads/uploads.ts';
import { blobFile } from '../../support/blob-file.ts';
import { useServer } from '../../support/server.ts';
import { beginUpload, cut, send, uploaded } from './upload-requests.ts';

const server = useServer();
let batch: string;
beforeEach(async () => {
  batch = await beginUpload(server.request);
});

const upload = '/api/v1/upload';
const workspaces = '/api/v1/path/default-domain/workspaces';
let count = 0;

const newFile = (properties: Record<string, unknown>) => {
  count += 1;
  return { 'entity-type': 'document', type: 'File', name: `uploaded-${count}`, properties };
};

describe('the jobs for old uploads', () => {
  const files = async () => {
    const where = { batchId: batch.slice('batchId-'.length) };
    const [whole, parts] = await Promise.all([
      server.database.prisma.uploadFile.findMany({ where }),
      server.database.prisma.uploadChunk.findMany({ where }),
    ]);
    return [...whole, ...parts].flatMap(({ digest }) => (digest ? blobFile(server, digest) : []));
  };
  const then = new Date(Date.now() - 2 * 86_400_000);
  const there = (paths: readonly string[]) => paths.filter((path) => existsSync(path)).length;

  test('delete batches a day after the last upload, and then their bytes', async () => {
    await send(server.request, batch, 0, { content: 'whole to be swept' });
    for (const chunk of cut('chunks to be swept', 2)) await send(server.request, batch, 1, chunk);
    const young = await beginUpload(server.request);
    const paths = await files();
    expect(paths).toHaveLength(4);
    for (const path of paths) await utimes(path, then, then);
    await sweepBlobs(server.database, server.blobs);
    expect(there(paths)).toBe(4);

    expect(await deleteOldUploads(server.database, 1)).toBe(0);
    await server.database.prisma.uploadBatch.updateMany({
      where: { id: batch.slice('batchId-'.length) },
      data: { usedAt: new Date(Date.now() - 1.01 * 86_400_000) },
    });
    expect(await deleteOldUploads(server.database, 1, () => true)).toBe(0);
    expect(await deleteOldUploads(server.database, 1)).toBe(1);
    await server.request.get(`${upload}/${batch}`).expect(404);
    await server.request.get(`${upload}/${young}`).expect(204);
    await sweepBlobs(server.database, server.blobs);
    expect(there(paths)).toBe(0);
  });

  test('keep a batch that was used recently', async () => {
    const id = batch.slice('batchId-'.length);
    await server.database.prisma.uploadBatch.updateMany({ where: { id }, data: { usedAt: then } });
    await send(server.request, batch, 0, { content: 'x' }).expect(201);
    expect(await deleteOldUploads(server.database, 1)).toBe(0);
  });

  test('keep bytes that a document has just taken', async () => {
    await send(server.request, batch, 0, { content: 'taken after two days' });
    const paths = await files();
    for (const path of paths) await utimes(path, then, then);
    const sent = newFile({ 'file:content': uploaded(batch, 0) });
    const { body } = await server.request.post(workspaces).send(sent).expect(201);
    // Simulates that the row of the document is not written yet.
    await server.request.delete(`/api/v1/id/${body.uid}`).expect(204);
    await sweepBlobs(server.database, server.blobs);
    expect(there(paths)).toBe(1);
  });
});
