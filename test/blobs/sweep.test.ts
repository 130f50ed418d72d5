import { existsSync } from 'node:fs';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type BlobStore, openBlobStore } from '../../src/blobs/blob-store.ts';
import { newFolder } from '../support/folder.ts';

let folder: string;
let store: BlobStore;
beforeEach(async () => {
  folder = newFolder();
  store = await openBlobStore(folder);
});

const day = 86_400_000;
const write = (text: string) => store.write([Buffer.from(text)]);

/** Returns every file below the store. */
async function files(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function age(file: string, milliseconds: number): Promise<void> {
  const then = new Date(Date.now() - milliseconds);
  await utimes(file, then, then);
}

const sweep = (kept: readonly string[] = [], grace = day) => store.sweep(async () => new Set(kept), grace);

describe('sweeping the blob store', () => {
  test('deletes unreferenced files older than the grace period', async () => {
    const [old, referenced, young] = [await write('old'), await write('referenced'), await write('young')];
    await age(store.file(old.digest), 2 * day);
    await age(store.file(referenced.digest), 2 * day);
    expect(await sweep([referenced.digest])).toBe(1);
    expect((await files()).sort()).toEqual([referenced.digest, young.digest].sort());
  });

  test('looks up every digest once, and ignores other files', async () => {
    const written = await Promise.all(Array.from({ length: 30 }, (_, index) => write(`file ${index}`)));
    await writeFile(join(folder, 'README'), 'not ours');
    const asked: string[] = [];
    await store.sweep(async (digests) => {
      asked.push(...digests);
      return new Set(digests);
    }, day);
    expect(asked.sort()).toEqual(written.map(({ digest }) => digest).sort());
  });

  test('keeps an old file that was written again', async () => {
    const { digest } = await write('again');
    await age(store.file(digest), 2 * day);
    await write('again');
    expect(await sweep()).toBe(0);
    expect(existsSync(store.file(digest))).toBe(true);
  });

  test('keeps a file that is written again during the sweep', async () => {
    const { digest } = await write('again');
    await age(store.file(digest), 2 * day);
    const referenced = async () => {
      await write('again');
      return new Set<string>();
    };
    expect(await store.sweep(referenced, day)).toBe(0);
    expect(existsSync(store.file(digest))).toBe(true);
  });

  test('deletes the files of interrupted writes, but not those of running ones', async () => {
    const left = join(folder, 'unfinished', 'left');
    const young = join(folder, 'unfinished', 'young');
    await writeFile(left, 'half');
    await writeFile(young, 'half');
    await age(left, 2 * day);
    expect(await sweep()).toBe(1);
    expect(await files()).toEqual(['young']);
  });

  test('does nothing in an empty store', async () => {
    expect(await sweep()).toBe(0);
  });

  test('may run in several processes concurrently: each file is deleted and counted once', async () => {
    const written = await Promise.all(Array.from({ length: 40 }, (_, index) => write(`file ${index}`)));
    await Promise.all(written.map(({ digest }) => age(store.file(digest), 2 * day)));
    const stores = await Promise.all([1, 2, 3].map(() => openBlobStore(folder)));
    const gone = await Promise.all(stores.map((each) => each.sweep(async () => new Set(), day)));
    expect(gone.reduce((sum, count) => sum + count)).toBe(40);
    expect(await files()).toEqual([]);
  });

  test('never deletes a file that is written concurrently', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { digest } = await write(`round ${round}`);
      await age(store.file(digest), 2 * day);
      await Promise.all([sweep(), write(`round ${round}`)]);
      expect([round, existsSync(store.file(digest))]).toEqual([round, true]);
    }
  });

  test('fails with the error of the reference lookup, and deletes nothing then', async () => {
    const { digest } = await write('x');
    await age(store.file(digest), 2 * day);
    const broken = store.sweep(() => Promise.reject(new Error('the database is away')), day);
    await expect(broken).rejects.toThrow('the database is away');
    expect(await files()).toEqual([digest]);
  });
});
