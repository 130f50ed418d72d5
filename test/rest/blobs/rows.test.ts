import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { blobFile } from '../../support/blob-file.ts';
import { createDocument, updateDocument } from '../../support/documents.ts';
import { startServer, statements, type TestServer, useServer } from '../../support/server.ts';
import { blobIn, blobRowsOf, createFile, createWithFiles } from './blob-requests.ts';

const server = useServer();

/** Returns the file names in the blob store: digests, and unfinished files. */
async function filesOf({ dataDir }: TestServer): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const digestsIn = (properties: Record<string, unknown>): string[] =>
  (properties['files:files'] as Array<{ file: { digest: string } }>).map(({ file }) => file.digest);

describe('the rows of document_blob', () => {
  test('contain each blob of a new document with its xpath', async () => {
    const { uid, properties } = await createDocument(server, {
      properties: {
        'file:content': { content: 'main' },
        'files:files': [{ file: { content: 'one' } }, { file: null }, { file: { content: 'two' } }],
      },
    });
    const files = properties['files:files'] as Array<{ file: { digest: string } | null }>;
    expect(await blobRowsOf(server, uid)).toEqual({
      'file:content': (properties['file:content'] as { digest: string }).digest,
      'files:files/0/file': files[0]?.file?.digest,
      'files:files/2/file': files[2]?.file?.digest,
    });
  });

  test('do not exist for a document without blobs', async () => {
    const { uid } = await createDocument(server, { type: 'Note', properties: { 'note:note': 'text' } });
    expect(await blobRowsOf(server, uid)).toEqual({});
  });

  test('are updated when a blob is replaced', async () => {
    const { uid } = await createFile(server, { content: 'one' });
    const { body } = await updateDocument(server.request, uid, { 'file:content': { content: 'two' } }).expect(
      200,
    );
    expect(await blobRowsOf(server, uid)).toEqual({ 'file:content': blobIn(body).digest });
  });

  test('are added and removed with blobs', async () => {
    const { uid } = await createDocument(server);
    const { body } = await updateDocument(server.request, uid, { 'file:content': { content: 'one' } }).expect(
      200,
    );
    expect(await blobRowsOf(server, uid)).toEqual({ 'file:content': blobIn(body).digest });
    await updateDocument(server.request, uid, { 'file:content': null }).expect(200);
    expect(await blobRowsOf(server, uid)).toEqual({});
  });

  test('are updated when a list is shortened and reordered', async () => {
    const { uid, properties } = await createWithFiles(server, ['a', 'b', 'c']);
    const [a, , c] = properties['files:files'] as unknown[];
    const [first, , third] = digestsIn(properties);
    await updateDocument(server.request, uid, { 'files:files': [c, a] }).expect(200);
    expect(await blobRowsOf(server, uid)).toEqual({
      'files:files/0/file': third,
      'files:files/1/file': first,
    });
  });

  test('cost no statement when other properties change', async () => {
    const [bare, full] = [await createDocument(server), await createWithFiles(server, ['a', 'b'])];
    const costOf = async (uid: string) =>
      statements(await updateDocument(server.request, uid, { 'dc:title': 'Changed' }).expect(200));
    expect(await costOf(full.uid)).toBe(await costOf(bare.uid));
    expect(Object.keys(await blobRowsOf(server, full.uid))).toHaveLength(2);
  });

  test('cost a create the same number of statements for any number of blobs', async () => {
    const costOf = async (contents: string[]) => {
      const files = contents.map((content) => ({ file: { content } }));
      const name = `with-${contents.length}`;
      const body = { 'entity-type': 'document', type: 'File', name, properties: { 'files:files': files } };
      return statements(await server.request.post('/api/v1/path/').send(body).expect(201));
    };
    const cost = await costOf(['a', 'b', 'c', 'd', 'e']);
    expect(cost).toBe(await costOf(['a']));
    expect(cost).toBeLessThanOrEqual(8);
  });

  test('are deleted with their document and with its ancestors', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const inside = await createDocument(server, {
      parent: folder.path,
      properties: { 'file:content': { content: 'inside' } },
    });
    const alone = await createFile(server, { content: 'alone' });
    await server.request.delete(`/api/v1/id/${alone.uid}`).expect(204);
    await server.request.delete(`/api/v1/id/${folder.uid}`).expect(204);
    expect(await blobRowsOf(server, alone.uid)).toEqual({});
    expect(await blobRowsOf(server, inside.uid)).toEqual({});
  });

  test('are not written by a refused create', async () => {
    const count = () => server.database.prisma.documentBlob.count();
    const before = await count();
    const properties = { 'file:content': { content: 'never' }, 'dc:nature': 'nix' };
    const body = { 'entity-type': 'document', type: 'File', name: 'x', properties };
    await server.request.post('/api/v1/path/').send(body).expect(422);
    expect(await count()).toBe(before);
  });
});

describe('the blob store', () => {
  test('stores equal bytes once', async () => {
    const before = await filesOf(server);
    const documents = await Promise.all(
      Array.from({ length: 10 }, () => createFile(server, { content: 'stored once' })),
    );
    const [digest] = new Set(documents.map((document) => blobIn(document).digest));
    const added = (await filesOf(server)).filter((name) => !before.includes(name));
    expect(added).toEqual([digest]);
  });

  test('contains the file of every row and no unfinished files', async () => {
    await createWithFiles(server, ['x', 'y', 'z']);
    const rows = await server.database.prisma.documentBlob.findMany();
    const files = new Set(await filesOf(server));
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ digest }) => !files.has(digest))).toEqual([]);
    expect([...files].filter((name) => !/^[0-9a-f]{64}$/.test(name))).toEqual([]);
  });

  test('keeps the file of a replaced blob', async () => {
    const file = await createFile(server, { content: 'replaced' });
    await updateDocument(server.request, file.uid, { 'file:content': null }).expect(200);
    expect(await filesOf(server)).toContain(blobIn(file).digest);
  });
});

describe('a write of a document with blobs', () => {
  test('stores files before rows, so that no row names a missing file', async () => {
    const creates = Promise.all(
      Array.from({ length: 30 }, (_, index) => createFile(server, { content: `ordered ${index}` })),
    );
    let isDone = false;
    let seen = 0;
    const watch = async () => {
      while (!isDone) {
        const rows = await server.database.prisma.documentBlob.findMany();
        const missing = rows.filter(({ digest }) => !existsSync(blobFile(server, digest)));
        expect(missing).toEqual([]);
        seen += 1;
        await setTimeout(2);
      }
    };
    const watching = watch();
    await creates;
    isDone = true;
    await watching;
    expect(seen).toBeGreaterThan(1);
  });

  test('leaves no row when the file cannot be written', async () => {
    await using broken = await startServer();
    const unfinished = join(broken.dataDir, 'blobs', 'unfinished');
    await rm(unfinished, { recursive: true });
    await writeFile(unfinished, 'a file where a folder was');
    const properties = { 'file:content': { content: 'never' } };
    const body = { 'entity-type': 'document', type: 'File', name: 'never', properties };
    const response = await broken.request.post('/api/v1/path/').send(body).expect(503);
    expect(response.body.message).toMatch(/^The folder in which files are stored cannot be used \(ENOTDIR\)/);
    await broken.request.get('/api/v1/path/never').expect(404);
    expect(await broken.database.prisma.documentBlob.count()).toBe(0);
  });
});
