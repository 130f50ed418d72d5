import type { BlobStore } from './blob-store.ts';
import { bytesOf } from './bytes-of.ts';
import { BlobMissing } from './faults.ts';

/**
 * Tries the first store, then the second store, and then the first store again, because the blob may have been moved to
 * it in the meantime.
 */
async function ofEither<Result>(
  [first, second]: readonly [BlobStore, BlobStore],
  of: (store: BlobStore) => Promise<Result>,
): Promise<Result> {
  let missing: unknown;
  for (const store of [first, second, first]) {
    try {
      return await of(store);
    } catch (error) {
      if (!(error instanceof BlobMissing)) throw error;
      missing ??= error;
    }
  }
  throw missing;
}

/** The maximum number of attempts to provide blobs as files while blobs are being moved. */
const maxAttempts = 5;

/**
 * Creates a store that reads from two stores while blobs are being moved from the second to the first. New blobs are
 * written to the first one.
 */
export function bothStores(first: BlobStore, second: BlobStore): BlobStore {
  const stores = [first, second] as const;
  const known = async (of: (store: BlobStore) => Promise<number | undefined>): Promise<number | undefined> =>
    (await of(first)) ?? (await of(second)) ?? (await of(first));
  const store: BlobStore = {
    write: first.write,
    join: async (digests) => {
      const lengths = await Promise.all(digests.map(first.lengthOf));
      return lengths.includes(undefined) ? first.write(bytesOf(store, digests)) : first.join(digests);
    },
    read: (digest, range) => ofEither(stores, (each) => each.read(digest, range)),
    readAll: (digest) => ofEither(stores, (each) => each.readAll(digest)),
    withFiles: async (digests, use) => {
      for (let attempt = 1; ; attempt += 1) {
        const lengths = await Promise.all(digests.map(first.lengthOf));
        const ofFirst = digests.filter((_, index) => lengths[index] !== undefined);
        const ofSecond = digests.filter((_, index) => lengths[index] === undefined);
        try {
          return await first.withFiles(ofFirst, (fileOf) =>
            second.withFiles(ofSecond, (other) =>
              use((digest) => (ofFirst.includes(digest) ? fileOf(digest) : other(digest))),
            ),
          );
        } catch (error) {
          // Another attempt can succeed only if a blob has been moved from the second store in the meantime.
          const left = await Promise.all(ofSecond.map(second.lengthOf));
          if (attempt === maxAttempts || !left.includes(undefined)) throw error;
        }
      }
    },
    lengthOf: (digest) => known((each) => each.lengthOf(digest)),
    renew: (digest) => known((each) => each.renew(digest)),
    remove: async (digest) => {
      for (const each of stores) await each.remove(digest);
    },
    list: async function* () {
      for (const each of stores) yield* each.list();
    },
    sweep: async (referenced, grace) =>
      (await first.sweep(referenced, grace)) + (await second.sweep(referenced, grace)),
    signedAddress: async (digest, answer) => {
      if (!first.signedAddress) return undefined;
      return (await first.lengthOf(digest)) === undefined ? undefined : first.signedAddress(digest, answer);
    },
  };
  return store;
}
