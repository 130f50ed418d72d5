import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { BlobStore } from '../../src/blobs/blob-store.ts';
import { newRow } from '../../src/store/documents/create-document.ts';
import { use } from '../support/use.ts';
import { stageImport } from './fixture.ts';

const stage = use(stageImport);

const binary = Buffer.from([0, 1, 2, 3]);

/** A blob store that runs an event during its first write: between the look-up and the insertion. */
function meanwhile(event: () => Promise<unknown>): BlobStore {
  let happened: Promise<unknown> | undefined;
  return {
    ...stage.scope.blobs,
    write: async (bytes) => {
      happened ??= event();
      await happened;
      return stage.scope.blobs.write(bytes);
    },
  };
}

/** Creates a document in the folder of an import, as another user. */
async function createBelow(path: string, name: string, type: string): Promise<string> {
  const parent = (await stage.imported(path)).get('');
  const row = await stage.scope.database.prisma.document.findFirstOrThrow({
    where: { id: parent?.id ?? '' },
  });
  const child = newRow(row as never, { name, type, properties: { 'dc:title': 'theirs' } });
  await stage.scope.database.prisma.document.createMany({ data: [child] });
  return child.id;
}

describe('concurrently with an import, another user', () => {
  test('creates the same document: theirs is kept, without the blob of the import', async () => {
    const path = await stage.folder({ one: binary, two: binary });
    const blobs = meanwhile(() => createBelow(path, 'one', 'File'));
    const { counts, skipped } = await stage.import(path, { blobs });
    expect(skipped).toEqual({});
    expect(counts).toMatchObject({ created: { Folder: 1, File: 1 }, existing: 1, bytes: 4 });
    const theirs = (await stage.imported(path)).get('one');
    expect(theirs?.title).toBe('theirs');
    const where = { documentId: theirs?.id ?? '' };
    expect(await stage.scope.database.prisma.documentBlob.count({ where })).toBe(0);
  });

  test('creates the same folder: the files are imported into theirs', async () => {
    const path = await stage.folder({ bin: binary, sub: { file: 'text' } });
    let theirs = '';
    const blobs = meanwhile(async () => {
      theirs = await createBelow(path, 'sub', 'Workspace');
    });
    const { counts } = await stage.import(path, { blobs });
    expect(counts).toMatchObject({ created: { Folder: 1, File: 1, Note: 1 }, existing: 1 });
    expect((await stage.imported(path)).get('sub/file')?.parentId).toBe(theirs);
  });

  test('creates a file with the name of a folder: the folder is listed as skipped', async () => {
    const path = await stage.folder({ bin: binary, sub: { file: 'text' } });
    const blobs = meanwhile(() => createBelow(path, 'sub', 'File'));
    const { skipped } = await stage.import(path, { blobs });
    expect(skipped).toEqual({ [join(path, 'sub')]: 'the existing document with that name is a File' });
  });

  test('deletes the target folder: its files are listed as skipped', async () => {
    const path = await stage.folder({ bin: binary, file: 'text' });
    const blobs = meanwhile(async () => {
      const id = (await stage.imported(path)).get('')?.id ?? '';
      await stage.scope.database.prisma.document.deleteMany({ where: { id } });
    });
    const { counts, skipped } = await stage.import(path, { blobs });
    const reason = 'the document for its folder was deleted in the meantime';
    expect(skipped).toEqual({ [join(path, 'bin')]: reason, [join(path, 'file')]: reason });
    expect(counts.created).toEqual({ Folder: 1, File: 0, Note: 0, Picture: 0, Video: 0, Audio: 0 });
  });

  test('makes the path too long: the file is listed as skipped', async () => {
    const path = await stage.folder({ bin: binary, 'a-long-name': 'text' });
    const blobs = meanwhile(async () => {
      const document = (await stage.imported(path)).get('');
      await stage.scope.database.prisma.document.updateMany({
        where: { id: document?.id ?? '' },
        data: { path: `/${'x'.repeat(8185)}` },
      });
    });
    const { skipped } = await stage.import(path, { blobs });
    expect(skipped).toEqual({ [join(path, 'a-long-name')]: 'the path would be longer than 8192 bytes' });
  });
});

test('an import fails if its blob store fails, and can be repeated', async () => {
  const path = await stage.folder({ bin: binary, file: 'text' });
  const blobs = { ...stage.scope.blobs, write: () => Promise.reject(new Error('no space left')) };
  await expect(stage.import(path, { blobs })).rejects.toThrow('no space left');
  expect([...(await stage.imported(path)).keys()]).toEqual(['']);
  expect((await stage.import(path)).counts).toMatchObject({ created: { File: 1, Note: 1 }, existing: 1 });
});
