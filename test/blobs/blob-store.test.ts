/** @group slow */

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { buffer, text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type OpenedStore, storeKinds } from './store-kinds.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const nowhere = sha256(Buffer.from('never written'));

describe.each(storeKinds)('a blob store in %s', (name, open) => {
  let opened: OpenedStore;
  let store: OpenedStore['store'];
  beforeEach(async () => {
    opened = await open();
    store = opened.store;
  });
  const write = (content: string) => store.write([Buffer.from(content)]);

  test('stores any bytes in any chunks under their SHA-256', async () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 500 }), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(chunks, async (given) => {
        const whole = Buffer.concat(given);
        const stored = await store.write(given);
        expect(stored).toEqual({ digest: sha256(whole), length: whole.byteLength });
        expect(await store.readAll(stored.digest)).toEqual(whole);
        expect(await store.lengthOf(stored.digest)).toBe(whole.byteLength);
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

  // Both kinds in S3 send a long blob by the same parts.
  const longest = name.includes('folder to') ? [] : [20_000_003];
  test.each([0, 1, 300_000, ...longest])('reads back %d bytes, whole and by ranges', async (length) => {
    const bytes = Buffer.alloc(length, 'a file of some length ');
    const half = Math.floor(length / 2);
    const { digest } = await store.write([bytes.subarray(0, half), bytes.subarray(half)]);
    expect((await buffer(await store.read(digest))).equals(bytes)).toBe(true);
    expect(await opened.files()).toEqual([digest]);
    for (const [start, end] of [
      [0, 9],
      [half, half + 70_000],
    ] as const)
      expect(await text(await store.read(digest, { start, end }))).toBe(
        bytes.subarray(start, end + 1).toString(),
      );
  });

  test('stores the same bytes once, also when they are written concurrently', async () => {
    const stored = await Promise.all(Array.from({ length: 20 }, () => write('the same')));
    expect(new Set(stored.map(({ digest }) => digest)).size).toBe(1);
    expect(await opened.files()).toEqual([stored[0]?.digest]);
    expect(await text(await (await opened.again()).read(stored[0]?.digest ?? ''))).toBe('the same');
  });

  test('joins blobs, short ones and long ones', async () => {
    const long = Buffer.alloc(5 * 1024 * 1024, 'long');
    for (const parts of [['a', 'b', 'a'], [long, long, 'end'], ['one'], []]) {
      const bytes = parts.map((part) => Buffer.from(part));
      const stored = await Promise.all(bytes.map((part) => store.write([part])));
      const whole = Buffer.concat(bytes);
      const joined = await store.join(stored.map(({ digest }) => digest));
      expect(joined).toEqual({ digest: sha256(whole), length: whole.length });
      expect((await store.readAll(joined.digest)).equals(whole)).toBe(true);
    }
    const { digest } = await write('there');
    await expect(store.join([digest, nowhere])).rejects.toThrow(nowhere);
  });

  test('lets functions read a blob from a file, and leaves none of its own', async () => {
    const { digest } = await write('in a file');
    const contents = Array.from({ length: 10 }, () =>
      store.withFiles([digest, digest], (fileOf) => readFile(fileOf(digest), 'utf8')),
    );
    expect(new Set(await Promise.all(contents))).toEqual(new Set(['in a file']));
    await expect(store.withFiles([digest], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await opened.files()).toEqual([digest]);
  });

  test('says of what it does not have that it is missing', async () => {
    for (const digest of [nowhere, '../../etc/passwd', '']) {
      expect(await store.renew(digest)).toBeUndefined();
      expect(await store.lengthOf(digest)).toBeUndefined();
    }
    const { digest } = await write('there');
    await expect(store.read(nowhere)).rejects.toThrow(nowhere);
    await expect(store.readAll(nowhere)).rejects.toThrow(nowhere);
    await expect(store.withFiles([digest, nowhere], (fileOf) => readFile(fileOf(nowhere)))).rejects.toThrow();
  });

  test('refuses bytes that are not those of the digest which is expected', async () => {
    await expect(store.write([Buffer.from('damaged')], nowhere)).rejects.toThrow(nowhere);
    expect(await opened.files()).toEqual([]);
    const bytes = Buffer.from('as expected');
    expect((await store.write([bytes], sha256(bytes))).length).toBe(11);
  });

  test('replaces damaged bytes when those of their digest are written', async () => {
    const { digest } = await write('the bytes');
    await opened.damage(digest, 'the');
    await write('the bytes');
    expect((await store.readAll(digest)).toString()).toBe('the bytes');
    await opened.damage(digest, 'the byteS');
    await expect(store.write([Buffer.from('the byteS')], digest)).rejects.toThrow(digest);
    await store.write([Buffer.from('the bytes')], digest);
    expect((await store.readAll(digest)).toString()).toBe('the bytes');
    expect(await opened.files()).toEqual([digest]);
  });

  test('lists what it has', async () => {
    const written = await Promise.all(['one', 'two', 'three'].map(write));
    const listed: string[] = [];
    for await (const digests of store.list()) listed.push(...digests);
    expect(listed.sort()).toEqual(written.map(({ digest }) => digest).sort());
  });

  describe('an interrupted write', () => {
    async function* interrupted(after: number, part = 'part') {
      for (let count = 0; count < after; count += 1) yield Buffer.from(part);
      throw new Error('the line is dead');
    }

    test.each([0, 1, 5])('rejects with the cause after %d chunks, and leaves no file', async (after) => {
      await expect(store.write(interrupted(after))).rejects.toThrow('the line is dead');
      await expect(store.write(interrupted(after, 'x'.repeat(500_000)))).rejects.toThrow('the line is dead');
      expect(await opened.files()).toEqual([]);
    });

    test('does not affect the same bytes stored before', async () => {
      const { digest } = await write('part');
      await expect(store.write(interrupted(1))).rejects.toThrow('the line is dead');
      expect(await opened.files()).toEqual([digest]);
    });

    test('caused by an invalid chunk leaves no file', async () => {
      await expect(store.write([{} as Uint8Array])).rejects.toThrow();
      expect(await opened.files()).toEqual([]);
    });
  });
});
