import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants, createReadStream } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, rm, stat, unlink, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BlobStore } from './blob-store.ts';
import { bytesOf } from './bytes-of.ts';
import { BlobMissing, DamagedBlob } from './faults.ts';
import { makeAllPrivate, ownerOnly } from './private-folder.ts';
import { asStoreError, storeBytes } from './store-bytes.ts';
import { removeLeftFiles, temporaryName } from './temporary-files.ts';

/** Syncs the folder entry, without which a rename may not survive a crash. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Undefined when there is no such file. */
const ifPresent = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** False when there is no such file. */
const renameIfPresent = async (from: string, to: string): Promise<boolean> =>
  (await ifPresent(rename(from, to).then(() => true))) ?? false;

export const isOlder = async (file: string, age: number): Promise<boolean> =>
  stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs >= age,
    () => false,
  );

export const isDigest = (text: string): boolean => /^[\da-f]{64}$/.test(text);

/** Where a blob is below its store, a folder or a prefix: `ab/cd/abcd…`. */
export const placeOf = (digest: string): string => `${digest.slice(0, 2)}/${digest.slice(2, 4)}/${digest}`;

/** Blobs that are listed at a time. */
const listed = 500;

async function* listFolder(folder: string): AsyncGenerator<string[]> {
  for (const first of await readdir(folder)) {
    if (first.length !== 2) continue;
    const found = await readdir(join(folder, first), { recursive: true });
    const digests = found.map((path) => basename(path)).filter(isDigest);
    for (let at = 0; at < digests.length; at += listed) yield digests.slice(at, at + listed);
  }
}

export interface FolderStore extends BlobStore {
  /** Where the bytes of a digest are, or would be. */
  file(digest: string): string;
}

/** A store in a folder: `ab/cd/abcd…` are blobs, `unfinished/` holds temporary files. */
export async function openFolderStore(folder: string): Promise<FolderStore> {
  const unfinished = join(folder, 'unfinished');
  await makeAllPrivate(folder, unfinished);
  await removeLeftFiles(unfinished);
  const file = (digest: string) => join(folder, placeOf(digest));

  /** The folders of blobs that survive a crash. */
  const settled = new Set<string>();

  // A file or a folder that is there may be of another write, which has not synced it yet.
  async function publish(written: string, digest: string): Promise<void> {
    const target = file(digest);
    const parent = dirname(target);
    await mkdir(parent, { recursive: true, mode: ownerOnly.folder });
    await rename(written, target); // over a file of that name, too: it may be damaged
    await syncFolder(parent);
    const unsettled = [parent, dirname(parent)].filter((each) => !settled.has(each));
    await Promise.all(unsettled.map((each) => syncFolder(dirname(each))));
    for (const each of unsettled) settled.add(each);
  }

  /** True when it was deleted, not kept or taken by another process. */
  async function remove(path: string, grace: number): Promise<boolean> {
    if (!(await isOlder(path, grace))) return false; // written again after `referenced`
    // Renamed first: a concurrent write then stores the file anew instead of relying on it. A write
    // between the check and the rename has updated the modification time, so it is checked again.
    const removed = join(unfinished, randomUUID());
    if (!(await renameIfPresent(path, removed))) return false; // another process sweeps too
    const isOld = await isOlder(removed, grace);
    await (isOld ? unlink(removed) : rename(removed, path));
    return isOld;
  }

  /** Undefined when there is no such blob. @throws BlobStoreAway when the folder cannot be used, or is not there. */
  async function found<T>(looking: Promise<T>): Promise<T | undefined> {
    try {
      const value = await ifPresent(looking);
      if (value === undefined) await stat(unfinished);
      return value;
    } catch (error) {
      throw asStoreError(error);
    }
  }

  /** Throws what is wrong with a blob that cannot be read, or with the folder of all. */
  const unreadable =
    (digest: string) =>
    async (cause: unknown): Promise<never> => {
      await found(Promise.reject(cause));
      throw new BlobMissing(digest, cause);
    };

  const store: FolderStore = {
    file,
    write: async (bytes, expected) => {
      const temporary = join(unfinished, temporaryName());
      const stored = await storeBytes(temporary, bytes, true);
      try {
        if (expected !== undefined && stored.digest !== expected)
          throw new DamagedBlob(expected, stored.digest);
        await publish(temporary, stored.digest);
        return stored;
      } catch (error) {
        await unlink(temporary).catch(() => {});
        throw asStoreError(error);
      }
    },
    join: (digests) => store.write(bytesOf(store, digests)),
    read: async (digest, range) => {
      const stream = createReadStream(file(digest), range);
      await once(stream, 'open').catch(unreadable(digest));
      return stream;
    },
    readAll: (digest) => readFile(file(digest)).catch(unreadable(digest)),
    withFiles: async (digests, use) => {
      // What reads the files cannot tell a damaged file from a folder that cannot be read.
      await Promise.all(
        digests.map((digest) => access(file(digest), constants.R_OK).catch(unreadable(digest))),
      );
      return use(file);
    },
    lengthOf: async (digest) => (isDigest(digest) ? (await found(stat(file(digest))))?.size : undefined),
    renew: async (digest) => {
      if (!isDigest(digest)) return undefined;
      const now = new Date();
      // A sweep counts from the modification time.
      const isThere = await found(utimes(file(digest), now, now).then(() => true));
      return isThere ? store.lengthOf(digest) : undefined;
    },
    remove: (digest) => rm(file(digest), { force: true }),
    list: () => listFolder(folder),
    sweep: async (referenced, grace) => {
      let deleted = 0;
      for (const name of await readdir(unfinished))
        if (await remove(join(unfinished, name), grace)) deleted += 1;
      for await (const digests of listFolder(folder)) {
        const kept = await referenced(digests);
        for (const digest of digests)
          if (!kept.has(digest) && (await remove(file(digest), grace))) deleted += 1;
      }
      return deleted;
    },
  };
  return store;
}
