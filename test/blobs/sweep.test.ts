import { beforeEach, describe, expect, test } from '@jest/globals';
import { day, type OpenedStore, storeKinds } from './store-kinds.ts';

describe.each(storeKinds)('sweeping a blob store in %s', (name, open) => {
  /** Each blob costs several requests to S3. */
  const isFast = name === 'a folder';
  let opened: OpenedStore;
  let store: OpenedStore['store'];
  beforeEach(async () => {
    opened = await open();
    store = opened.store;
  });
  const write = (text: string) => store.write([Buffer.from(text)]);
  const writeOld = async (text: string) => {
    const { digest } = await write(text);
    await opened.age(digest, 2 * day);
    return digest;
  };
  const sweep = (kept: readonly string[] = [], grace = day) => store.sweep(async () => new Set(kept), grace);
  /** The blobs, without what says that they were renewed. */
  const blobs = async () => [...new Set(await opened.files())];

  test('deletes unreferenced blobs older than the grace period', async () => {
    const [referenced] = [await writeOld('referenced'), await writeOld('old')];
    const { digest: young } = await write('young');
    expect(await sweep([referenced])).toBe(1);
    expect((await blobs()).sort()).toEqual([referenced, young].sort());
    expect(await sweep([referenced])).toBe(0);
  });

  test('looks up every digest at most once', async () => {
    const written = await Promise.all(
      Array.from({ length: isFast ? 30 : 10 }, (_, index) => writeOld(`file ${index}`)),
    );
    const asked: string[] = [];
    await store.sweep(async (digests) => {
      asked.push(...digests);
      return new Set(digests);
    }, day);
    expect(asked.sort()).toEqual(written.sort());
  });

  test('keeps an old blob that was written or renewed again', async () => {
    const [written, renewed] = [await writeOld('again'), await writeOld('renewed')];
    await write('again');
    expect(await (await opened.again()).renew(renewed)).toBe(7);
    expect(await sweep()).toBe(0);
    expect((await blobs()).sort()).toEqual([written, renewed].sort());
  });

  test('keeps a blob that is written or renewed during the sweep', async () => {
    const [written, renewed] = [await writeOld('again'), await writeOld('renewed')];
    const referenced = async () => {
      await Promise.all([write('again'), store.renew(renewed)]);
      return new Set<string>();
    };
    expect(await store.sweep(referenced, day)).toBe(0);
    expect((await blobs()).sort()).toEqual([written, renewed].sort());
  });

  test('does nothing in an empty store', async () => {
    expect(await sweep()).toBe(0);
  });

  test('never deletes a blob that is written or renewed concurrently', async () => {
    for (let round = 0; round < (isFast ? 20 : 5); round += 1) {
      const digest = await writeOld(`round ${round}`);
      const again = round % 2 ? write(`round ${round}`).then(({ length }) => length) : store.renew(digest);
      const [, length] = await Promise.all([sweep(), again]);
      expect([round, await store.lengthOf(digest)]).toEqual([round, length]);
    }
  });

  test('fails with the error of the reference lookup, and deletes nothing then', async () => {
    const digest = await writeOld('x');
    const broken = store.sweep(() => Promise.reject(new Error('the database is away')), day);
    await expect(broken).rejects.toThrow('the database is away');
    expect(await opened.files()).toEqual([digest]);
  });
});
