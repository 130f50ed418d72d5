/** @group slow */
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import type { BlobStore } from '../../src/blobs/blob-store.ts';
import { placeOf } from '../../src/blobs/folder-store.ts';
import { moveBlobs } from '../../src/blobs/move-blobs.ts';
import { openBlobStore } from '../../src/blobs/open-blob-store.ts';
import { readConfig } from '../../src/config.ts';
import { newFolder } from '../support/folder.ts';
import { s3Environment, startS3Server } from '../support/s3-server.ts';
import { use } from '../support/use.ts';
import { quire, quireProcess } from './run-quire.ts';

const s3 = use(startS3Server);

/** A folder with some blobs, which are to go to S3, and a server's view of both. */
async function stage(prefix: string) {
  const DATA_DIR = newFolder();
  const address = s3.address(prefix);
  const open = (settings: Record<string, string>) => openBlobStore(readConfig({ DATA_DIR, ...settings }));
  const folder = await open({});
  const written = await Promise.all(
    Array.from({ length: 20 }, (_, index) => folder.write([Buffer.from(`blob ${index}`)])),
  );
  const moving = { DATA_DIR, BLOB_STORE: address, BLOB_STORE_ALSO: 'folder' };
  return {
    DATA_DIR,
    address,
    folder,
    moving,
    digests: written.map(({ digest }) => digest),
    inS3: await open({ BLOB_STORE: address }),
    both: await open(moving),
  };
}

async function listOf(store: BlobStore): Promise<string[]> {
  const listed: string[] = [];
  for await (const digests of store.list()) listed.push(...digests);
  return listed.sort();
}

describe('quire blobs --move-to', () => {
  test('moves all blobs, while they are read; a damaged one stays, and is named', async () => {
    const { DATA_DIR, address, moving, folder, inS3, both, digests } = await stage('moved');
    const [damaged = '', ...sound] = digests;
    await writeFile(join(DATA_DIR, 'blobs', placeOf(damaged)), 'damaged');
    let isOver = false;
    const readers = sound.slice(0, 3).map(async (digest) => {
      while (!isOver) {
        expect(await text(await both.read(digest))).toMatch(/^blob/);
        expect(await both.renew(digest)).toBeGreaterThan(5);
        await both.withFiles(sound.slice(0, 3), async (fileOf) =>
          expect(existsSync(fileOf(digest))).toBe(true),
        );
      }
    });
    expect(await quireProcess(['blobs', '--move-to', address], { ...s3Environment, ...moving })).toEqual({
      code: 3,
      out: expect.stringMatching(/^19 blobs of \d+ bytes moved\.\n$/),
      err: expect.stringContaining(`Damaged blobs that were not moved:\n  ${damaged}\n`),
    });
    isOver = true;
    await Promise.all(readers);
    expect(await listOf(inS3)).toEqual([...sound].sort());
    expect(await listOf(folder)).toEqual([damaged]);
    expect(await readdir(join(DATA_DIR, 'spool'))).toEqual([]);
    const joined = await both.join(sound.slice(0, 2));
    expect(await both.lengthOf(joined.digest)).toBe(12);
  });

  test('goes on where an earlier run was interrupted, and back again', async () => {
    const { folder, inS3, digests } = await stage('interrupted');
    const abort = new AbortController();
    const first = await moveBlobs(folder, inS3, {
      signal: abort.signal,
      onProgress: ({ blobs }) => blobs === 5 && abort.abort(),
    });
    expect(first.blobs).toBeLessThan(10);
    const { signal } = new AbortController();
    const second = await moveBlobs(folder, inS3, { signal, onProgress: () => {} });
    expect(first.blobs + second.blobs).toBe(20);
    expect([await listOf(inS3), await listOf(folder)]).toEqual([[...digests].sort(), []]);
    expect(await moveBlobs(inS3, folder, { signal, onProgress: () => {} })).toMatchObject({ blobs: 20 });
    expect([await listOf(inS3), await listOf(folder)]).toEqual([[], [...digests].sort()]);
  });

  test('loses no sound copy to a damaged one in the target', async () => {
    const { DATA_DIR, address, moving, folder, inS3, digests } = await stage('damaged');
    const [cut = '', changed = ''] = digests;
    const { signal } = new AbortController();
    await moveBlobs(folder, inS3, { signal, onProgress: () => {} });
    await Promise.all([cut, changed].map(async (digest) => folder.write(await inS3.read(digest))));
    const place = (digest: string) =>
      join(s3.folder, 'quire', 'damaged', `${placeOf(digest)}._S3rver_object`);
    await writeFile(place(cut), 'b');
    await writeFile(place(changed), 'BLOB 1');
    const settings = { ...s3Environment, ...moving };
    expect(await quire(['blobs', '--move-to', address], settings)).toMatchObject({ code: 0 });
    expect(await listOf(folder)).toEqual([]);
    const texts = async (store: BlobStore) => (await Promise.all([cut, changed].map(store.readAll))).join();
    expect(await texts(inS3)).toBe('blob 0,blob 1');

    await Promise.all([cut, changed].map(async (digest) => folder.write(await inS3.read(digest))));
    await writeFile(join(DATA_DIR, 'blobs', placeOf(cut)), 'b');
    await writeFile(join(DATA_DIR, 'blobs', placeOf(changed)), 'BLOB 1');
    const back = { ...s3Environment, DATA_DIR, BLOB_STORE_ALSO: address };
    expect(await quire(['blobs', '--move-to', 'folder'], back)).toMatchObject({ code: 0 });
    expect(await texts(folder)).toBe('blob 0,blob 1');
  });

  test('moves nothing unless servers read both stores', async () => {
    const { DATA_DIR, address } = await stage('refused');
    const faults = [
      await quire(['blobs', '--move-to', address], { DATA_DIR }),
      await quire(['blobs', '--move-to', 'folder'], { DATA_DIR }),
      await quire(['blobs', '--move-to', 'ftp://elsewhere'], { DATA_DIR }),
    ];
    expect(faults.map(({ code }) => code)).toEqual([1, 1, 2]);
    expect(faults[0]?.err).toContain('--move-to must be either BLOB_STORE or BLOB_STORE_ALSO');
    expect(faults[2]?.err).toContain('must be "folder" or s3://BUCKET/PREFIX');
  });
});
