import { existsSync } from 'node:fs';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sweep } from '../../src/jobs/sweep.ts';
import { createDocument, type DocumentEntity } from '../support/factories.ts';
import { start, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

const createFile = (content: string): Promise<DocumentEntity> =>
  createDocument(server, { properties: { 'file:content': { content } } });

const fileOf = ({ properties }: DocumentEntity): string =>
  server.blobs.file((properties['file:content'] as { digest: string }).digest);

/** Makes files look two days old. */
async function age(...files: string[]): Promise<void> {
  const then = new Date(Date.now() - 2 * 86_400_000);
  for (const file of files) await utimes(file, then, then);
}

describe('The sweep', () => {
  test('deletes the blob of a deleted document a day later, not at once', async () => {
    const document = await createFile('deleted');
    await server.request.delete(`/api/v1/id/${document.uid}`).expect(204);
    expect(await sweep(server.database, server.blobs)).toBe(0);
    expect(existsSync(fileOf(document))).toBe(true);
    await age(fileOf(document));
    expect(await sweep(server.database, server.blobs)).toBe(1);
    expect(existsSync(fileOf(document))).toBe(false);
  });

  test('keeps what a document refers to, however old', async () => {
    const document = await createFile('kept');
    await age(fileOf(document));
    expect(await sweep(server.database, server.blobs)).toBe(0);
    await server.request.get(`/api/v1/id/${document.uid}/@blob`).expect(200);
  });

  test('keeps what another document still refers to', async () => {
    const [one, other] = [await createFile('shared'), await createFile('shared')];
    await server.request.delete(`/api/v1/id/${one.uid}`).expect(204);
    await age(fileOf(one));
    await sweep(server.database, server.blobs);
    await server.request.get(`/api/v1/id/${other.uid}/@blob`).expect(200);
  });

  test('reads of bytes that many documents hold no more than that there is one', async () => {
    const { database, blobs } = server;
    const shared = await createFile('held by three');
    for (const _ of [1, 2]) await createFile('held by three');
    await age(fileOf(shared));
    let rows = 0;
    const query: typeof database.query = async <Row>(...asked: Parameters<typeof database.query>) => {
      const found = await database.query<Row>(...asked);
      rows += found.length;
      return found;
    };
    const documents = await database.prisma.documentBlob.findMany({ select: { digest: true } });
    await sweep({ query }, blobs);
    expect(rows).toBe(new Set(documents.map(({ digest }) => digest)).size);
    expect(rows).toBeLessThan(documents.length);
    expect(existsSync(fileOf(shared))).toBe(true);
  });

  test('deletes what a change replaced', async () => {
    const document = await createFile('before');
    const body = { 'entity-type': 'document', properties: { 'file:content': { content: 'after' } } };
    await server.request.put(`/api/v1/id/${document.uid}`).send(body).expect(200);
    await age(fileOf(document));
    await sweep(server.database, server.blobs);
    expect(existsSync(fileOf(document))).toBe(false);
    await server.request.get(`/api/v1/id/${document.uid}/@blob`).expect(200);
  });

  test('keeps a file that is written again while its row is on the way', async () => {
    const document = await createFile('returns');
    await server.request.delete(`/api/v1/id/${document.uid}`).expect(204);
    await age(fileOf(document));
    await server.blobs.write([Buffer.from('returns')]);
    expect(await sweep(server.database, server.blobs)).toBe(0);
    expect(existsSync(fileOf(document))).toBe(true);
  });

  test('keeps what is copied by its address while nothing refers to it yet', async () => {
    const document = await createFile('copied');
    await age(fileOf(document));
    const { data } = document.properties['file:content'] as { data: string };
    const copy = await createDocument(server, { properties: { 'file:content': { data } } });
    // As if the copy's row were still on the way.
    for (const { uid } of [document, copy]) await server.request.delete(`/api/v1/id/${uid}`).expect(204);
    expect(await sweep(server.database, server.blobs)).toBe(0);
    expect(existsSync(fileOf(document))).toBe(true);
  });

  test('deletes what unfinished writes left behind', async () => {
    const unfinished = join(server.dataDir, 'blobs', 'unfinished');
    await writeFile(join(unfinished, 'left'), 'half');
    await age(join(unfinished, 'left'));
    expect(await sweep(server.database, server.blobs)).toBe(1);
    expect(await readdir(unfinished)).toEqual([]);
  });

  test('asks the database for many files at a time', async () => {
    const contents = Array.from({ length: 300 }, (_, index) => `many ${index}`);
    const stored = await Promise.all(contents.map((text) => server.blobs.write([Buffer.from(text)])));
    await age(...stored.map(({ digest }) => server.blobs.file(digest)));
    expect(await sweep(server.database, server.blobs)).toBe(300);
  });
});
