import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type BlobStore, openBlobStore } from '../../src/blobs/blob-store.ts';
import { newFolder } from '../support/folder.ts';

let folder: string;
let store: BlobStore;
beforeEach(async () => {
  folder = newFolder();
  store = await openBlobStore(folder);
});
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const write = (text: string) => store.write([Buffer.from(text)]);

/** Returns every file below the store. */
async function files(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

describe('writing to the blob store', () => {
  test('stores any bytes in any chunks under their SHA-256', async () => {
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

  test('returns the same digest for any split of the bytes', async () => {
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

  test('accepts chunks that arrive over time', async () => {
    async function* slowly() {
      for (const part of ['a', 'b', 'c']) {
        await new Promise((resolve) => setImmediate(resolve));
        yield Buffer.from(part);
      }
    }
    expect(await store.write(slowly())).toEqual({ digest: sha256(Buffer.from('abc')), length: 3 });
  });

  test('accepts an empty blob', async () => {
    const { digest, length } = await store.write([]);
    expect(length).toBe(0);
    expect((await stat(store.file(digest))).size).toBe(0);
  });

  test('accepts a blob larger than any buffer', async () => {
    const chunk = new Uint8Array(1_000_003).fill(7);
    const { length, digest } = await store.write(Array(8).fill(chunk));
    expect(length).toBe(8_000_024);
    expect((await stat(store.file(digest))).size).toBe(8_000_024);
  });

  test('stores the same bytes once, also when they are written concurrently', async () => {
    const stored = await Promise.all(Array.from({ length: 20 }, () => write('the same')));
    expect(new Set(stored.map(({ digest }) => digest)).size).toBe(1);
    expect(await files()).toEqual([stored[0]?.digest]);
  });

  test('stores a file below two levels of folders, which limits their size', async () => {
    const { digest } = await write('x');
    const place = relative(folder, dirname(store.file(digest)));
    expect(place).toBe(join(digest.slice(0, 2), digest.slice(2, 4)));
  });

  test('creates its folder when it is missing', async () => {
    const deep = join(folder, 'not', 'there', 'yet');
    const { digest } = await (await openBlobStore(deep)).write([Buffer.from('x')]);
    expect((await openBlobStore(deep)).file(digest)).toBe(
      join(deep, digest.slice(0, 2), digest.slice(2, 4), digest),
    );
  });
});

describe('an interrupted write', () => {
  async function* interrupted(after: number) {
    for (let count = 0; count < after; count += 1) yield Buffer.from('part');
    throw new Error('the line is dead');
  }

  test.each([0, 1, 5])('rejects with the cause after %d chunks, and leaves no file', async (after) => {
    await expect(store.write(interrupted(after))).rejects.toThrow('the line is dead');
    expect(await files()).toEqual([]);
  });

  test('does not affect the same bytes stored before', async () => {
    const { digest } = await write('part');
    await expect(store.write(interrupted(1))).rejects.toThrow('the line is dead');
    expect(await files()).toEqual([digest]);
  });

  test('caused by an invalid chunk leaves no file', async () => {
    await expect(store.write([{} as Uint8Array])).rejects.toThrow();
    expect(await files()).toEqual([]);
  });
});
