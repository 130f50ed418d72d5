import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type BlobStore, openBlobStore } from '../../src/blobs/blob-store.ts';

let folder: string;
let store: BlobStore;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-blobs-'));
  store = await openBlobStore(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const day = 86_400_000;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const write = (text: string) => store.write([Buffer.from(text)]);

/** Every file below the store. */
async function files(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function age(file: string, milliseconds: number): Promise<void> {
  const then = new Date(Date.now() - milliseconds);
  await utimes(file, then, then);
}

const sweep = (kept: readonly string[] = [], grace = day) => store.sweep(async () => new Set(kept), grace);

describe('Writing to the blob store', () => {
  test('keeps any bytes in any chunks under their SHA-256', async () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 500 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(chunks, async (given) => {
        const whole = Buffer.concat(given);
        const stored = await store.write(given);
        expect(stored).toEqual({ digest: sha256(whole), length: whole.byteLength });
        expect((await readFile(store.file(stored.digest))).equals(whole)).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test('gives the same digest however the bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.nat(), async (bytes, at) => {
        const cut = at % bytes.length;
        const [whole, parts] = [
          await store.write([bytes]),
          await store.write([bytes.subarray(0, cut), bytes.subarray(cut)]),
        ];
        expect(parts).toEqual(whole);
      }),
      { numRuns: 25 },
    );
  });

  test('takes what comes over time', async () => {
    async function* slowly() {
      for (const part of ['a', 'b', 'c']) {
        await new Promise((resolve) => setImmediate(resolve));
        yield Buffer.from(part);
      }
    }
    expect(await store.write(slowly())).toEqual({ digest: sha256(Buffer.from('abc')), length: 3 });
  });

  test('takes nothing at all', async () => {
    const { digest, length } = await store.write([]);
    expect(length).toBe(0);
    expect((await stat(store.file(digest))).size).toBe(0);
  });

  test('takes what is larger than any buffer', async () => {
    const chunk = new Uint8Array(1_000_003).fill(7);
    const { length, digest } = await store.write(Array(8).fill(chunk));
    expect(length).toBe(8_000_024);
    expect((await stat(store.file(digest))).size).toBe(8_000_024);
  });

  test('keeps the same bytes once, also when they come at the same time', async () => {
    const stored = await Promise.all(Array.from({ length: 20 }, () => write('the same')));
    expect(new Set(stored.map(({ digest }) => digest)).size).toBe(1);
    expect(await files()).toEqual([stored[0]?.digest]);
  });

  test('puts a file into two levels of folders, so that none gets too full', async () => {
    const { digest } = await write('x');
    const place = relative(folder, dirname(store.file(digest)));
    expect(place).toBe(join(digest.slice(0, 2), digest.slice(2, 4)));
  });

  test('makes its folder when it is not there', async () => {
    const deep = join(folder, 'not', 'there', 'yet');
    const { digest } = await (await openBlobStore(deep)).write([Buffer.from('x')]);
    expect((await openBlobStore(deep)).file(digest)).toBe(
      join(deep, digest.slice(0, 2), digest.slice(2, 4), digest),
    );
  });
});

describe('A write that is interrupted', () => {
  async function* interrupted(after: number) {
    for (let count = 0; count < after; count += 1) yield Buffer.from('part');
    throw new Error('the line is dead');
  }

  test.each([0, 1, 5])('after %d chunks says why, and leaves no file', async (after) => {
    await expect(store.write(interrupted(after))).rejects.toThrow('the line is dead');
    expect(await files()).toEqual([]);
  });

  test('does not disturb the same bytes that are there', async () => {
    const { digest } = await write('part');
    await expect(store.write(interrupted(1))).rejects.toThrow('the line is dead');
    expect(await files()).toEqual([digest]);
  });

  test('by something that is no bytes leaves no file', async () => {
    await expect(store.write([{} as Uint8Array])).rejects.toThrow();
    expect(await files()).toEqual([]);
  });
});

describe('Sweeping the blob store', () => {
  test('deletes what nobody refers to and is older than the grace', async () => {
    const [old, referenced, young] = [await write('old'), await write('referenced'), await write('young')];
    await age(store.file(old.digest), 2 * day);
    await age(store.file(referenced.digest), 2 * day);
    expect(await sweep([referenced.digest])).toBe(1);
    expect((await files()).sort()).toEqual([referenced.digest, young.digest].sort());
  });

  test('asks for every digest once, and only for digests', async () => {
    const written = await Promise.all(Array.from({ length: 30 }, (_, index) => write(`file ${index}`)));
    await writeFile(join(folder, 'README'), 'not ours');
    const asked: string[] = [];
    await store.sweep(async (digests) => {
      asked.push(...digests);
      return new Set(digests);
    }, day);
    expect(asked.sort()).toEqual(written.map(({ digest }) => digest).sort());
  });

  test('keeps what is written again, however old it was', async () => {
    const { digest } = await write('again');
    await age(store.file(digest), 2 * day);
    await write('again');
    expect(await sweep()).toBe(0);
    expect(existsSync(store.file(digest))).toBe(true);
  });

  test('keeps what is written again after it was found to be nobody’s', async () => {
    const { digest } = await write('again');
    await age(store.file(digest), 2 * day);
    const referenced = async () => {
      await write('again');
      return new Set<string>();
    };
    expect(await store.sweep(referenced, day)).toBe(0);
    expect(existsSync(store.file(digest))).toBe(true);
  });

  test('deletes what an unfinished write left, not what is being written', async () => {
    const left = join(folder, 'unfinished', 'left');
    const young = join(folder, 'unfinished', 'young');
    await writeFile(left, 'half');
    await writeFile(young, 'half');
    await age(left, 2 * day);
    expect(await sweep()).toBe(1);
    expect(await files()).toEqual(['young']);
  });

  test('is nothing to an empty store', async () => {
    expect(await sweep()).toBe(0);
  });

  test('may happen in several processes at once: each file is deleted, and counted, once', async () => {
    const written = await Promise.all(Array.from({ length: 40 }, (_, index) => write(`file ${index}`)));
    await Promise.all(written.map(({ digest }) => age(store.file(digest), 2 * day)));
    const stores = await Promise.all([1, 2, 3].map(() => openBlobStore(folder)));
    const gone = await Promise.all(stores.map((each) => each.sweep(async () => new Set(), day)));
    expect(gone.reduce((sum, count) => sum + count)).toBe(40);
    expect(await files()).toEqual([]);
  });

  test('never takes a file from under a write: whatever was written since is there', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { digest } = await write(`round ${round}`);
      await age(store.file(digest), 2 * day);
      await Promise.all([sweep(), write(`round ${round}`)]);
      expect([round, existsSync(store.file(digest))]).toEqual([round, true]);
    }
  });

  test('stops with the error of whoever knows the references, and deletes nothing then', async () => {
    const { digest } = await write('x');
    await age(store.file(digest), 2 * day);
    const broken = store.sweep(() => Promise.reject(new Error('the database is away')), day);
    await expect(broken).rejects.toThrow('the database is away');
    expect(await files()).toEqual([digest]);
  });
});
