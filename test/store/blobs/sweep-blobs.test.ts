import { existsSync } from 'node:fs';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { sweepBlobs } from '../../../src/store/blobs/sweep-blobs.ts';
import { blobFile } from '../../support/blob-file.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();

const createFile = (content: string): Promise<DocumentEntity> =>
  createDocument(server, { properties: { 'file:content': { content } } });

const fileOf = ({ properties }: DocumentEntity): string =>
  blobFile(server, (properties['file:content'] as { digest: string }).digest);

/** Dates files back by two days. */
async function age(...files: string[]): Promise<void> {
  const then = new Date(Date.now() - 2 * 86_400_000);
  for (const file of files) await utimes(file, then, then);
}

describe('The sweep of blobs', () => {
  test('deletes the blob of a deleted document after a day, not immediately', async () => {
    const document = await createFile('deleted');
    await server.request.delete(`/api/v1/id/${document.uid}`).expect(204);
    expect(await sweepBlobs(server.database, server.blobs)).toBe(0);
    expect(existsSync(fileOf(document))).toBe(true);
    await age(fileOf(document));
    expect(await sweepBlobs(server.database, server.blobs)).toBe(1);
    expect(existsSync(fileOf(document))).toBe(false);
  });

  test('keeps blobs that a document refers to, whatever their age', async () => {
    const document = await createFile('kept');
    await age(fileOf(document));
    expect(await sweepBlobs(server.database, server.blobs)).toBe(0);
    await server.request.get(`/api/v1/id/${document.uid}/@blob`).expect(200);
  });

  test('keeps a blob that another document still refers to', async () => {
    const [one, other] = [await createFile('shared'), await createFile('shared')];
    await server.request.delete(`/api/v1/id/${one.uid}`).expect(204);
    await age(fileOf(one));
    await sweepBlobs(server.database, server.blobs);
    await server.request.get(`/api/v1/id/${other.uid}/@blob`).expect(200);
  });

  test('reads one row for each digest, however many documents refer to it', async () => {
    const { database, blobs } = server;
    const shared = await createFile('held by three');
    for (const _ of [1, 2]) await createFile('held by three');
    await age(fileOf(shared));
    let rows = 0;
    const query: typeof database.query = async (...asked) => {
      const found = await database.query(...asked);
      rows += found.length;
      return found;
    };
    const documents = await database.prisma.documentBlob.findMany({ select: { digest: true } });
    await sweepBlobs({ query }, blobs);
    expect(rows).toBe(new Set(documents.map(({ digest }) => digest)).size);
    expect(rows).toBeLessThan(documents.length);
    expect(existsSync(fileOf(shared))).toBe(true);
  });

  test('deletes a blob that a change has replaced', async () => {
    const document = await createFile('before');
    const body = { 'entity-type': 'document', properties: { 'file:content': { content: 'after' } } };
    await server.request.put(`/api/v1/id/${document.uid}`).send(body).expect(200);
    await age(fileOf(document));
    await sweepBlobs(server.database, server.blobs);
    expect(existsSync(fileOf(document))).toBe(false);
    await server.request.get(`/api/v1/id/${document.uid}/@blob`).expect(200);
  });

  test('keeps a file that is written again before its row exists', async () => {
    const document = await createFile('returns');
    await server.request.delete(`/api/v1/id/${document.uid}`).expect(204);
    await age(fileOf(document));
    await server.blobs.write([Buffer.from('returns')]);
    expect(await sweepBlobs(server.database, server.blobs)).toBe(0);
    expect(existsSync(fileOf(document))).toBe(true);
  });

  test('keeps a blob that is copied by its address before a row refers to it', async () => {
    const document = await createFile('copied');
    await age(fileOf(document));
    const { data } = document.properties['file:content'] as { data: string };
    const copy = await createDocument(server, { properties: { 'file:content': { data } } });
    // As if the row of the copy were not committed yet.
    for (const { uid } of [document, copy]) await server.request.delete(`/api/v1/id/${uid}`).expect(204);
    expect(await sweepBlobs(server.database, server.blobs)).toBe(0);
    expect(existsSync(fileOf(document))).toBe(true);
  });

  test('deletes the files of unfinished writes', async () => {
    const unfinished = join(server.dataDir, 'blobs', 'unfinished');
    await writeFile(join(unfinished, 'left'), 'half');
    await age(join(unfinished, 'left'));
    expect(await sweepBlobs(server.database, server.blobs)).toBe(1);
    expect(await readdir(unfinished)).toEqual([]);
  });

  test('deletes hundreds of files in one run', async () => {
    const contents = Array.from({ length: 300 }, (_, index) => `many ${index}`);
    const stored = await Promise.all(contents.map((text) => server.blobs.write([Buffer.from(text)])));
    await age(...stored.map(({ digest }) => blobFile(server, digest)));
    expect(await sweepBlobs(server.database, server.blobs)).toBe(300);
  });
});
