import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { constants, createReadStream } from 'node:fs';
import { access, mkdir, open, readdir, readFile, rename, rm, stat, unlink, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BlobStore } from './blob-store.ts';
import { bytesOf } from './bytes-of.ts';
import { BlobMissing, DamagedBlob } from './faults.ts';
import { makePrivate, ownerOnly } from './private-folder.ts';
import { asStoreError, storeBytes } from './store-bytes.ts';
import { removeLeftFiles, temporaryName } from './temporary-files.ts';

/** Flushes a folder to disk. Without this, a file that was renamed in it may not survive a crash. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The result of a file operation; undefined if the file does not exist. */
const ifPresent = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** Renames a file. @returns false if it does not exist. */
const renameIfPresent = async (from: string, to: string): Promise<boolean> =>
  (await ifPresent(rename(from, to).then(() => true))) ?? false;

/** Whether a file exists and was modified more than `age` milliseconds ago. */
export const isOlder = async (file: string, age: number): Promise<boolean> =>
  stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs >= age,
    () => false,
  );

export const isDigest = (text: string): boolean => /^[\da-f]{64}$/.test(text);

/** The path of a blob relative to the folder or prefix of its store: `ab/cd/abcd…`. */
export const placeOf = (digest: string): string => `${digest.slice(0, 2)}/${digest.slice(2, 4)}/${digest}`;

/** The number of blobs in a page of a listing. */
const pageSize = 500;

async function* listFolder(folder: string): AsyncGenerator<string[]> {
  for (const first of await readdir(folder)) {
    if (first.length !== 2) continue;
    const found = await readdir(join(folder, first), { recursive: true });
    const digests = found.map((path) => basename(path)).filter(isDigest);
    for (let at = 0; at < digests.length; at += pageSize) yield digests.slice(at, at + pageSize);
  }
}

export interface FolderStore extends BlobStore {
  /** The path of the file for a digest, whether it exists or not. */
  file(digest: string): string;
}

/** Opens a store in a folder. Blobs are files named `ab/cd/abcd…`; `unfinished/` contains temporary files. */
export async function openFolderStore(folder: string): Promise<FolderStore> {
  const unfinished = join(folder, 'unfinished');
  await makePrivate(folder);
  await makePrivate(unfinished);
  await removeLeftFiles(unfinished);
  const file = (digest: string) => join(folder, placeOf(digest));

  /** The folders whose entries have been flushed to disk. */
  const settled = new Set<string>();

  // Moves a written file to its final path, durably. A file or folder that exists already may have been created by a
  // concurrent write that has not flushed it yet, so everything is flushed in any case.
  async function publish(written: string, digest: string): Promise<void> {
    const target = file(digest);
    const parent = dirname(target);
    await mkdir(parent, { recursive: true, mode: ownerOnly.folder });
    await rename(written, target); // replaces an existing file, which may be damaged
    await syncFolder(parent);
    const unsettled = [parent, dirname(parent)].filter((each) => !settled.has(each));
    await Promise.all(unsettled.map((each) => syncFolder(dirname(each))));
    for (const each of unsettled) settled.add(each);
  }

  /**
   * Deletes an old file.
   * @returns whether it was deleted; not if it has been renewed, or deleted by another process.
   */
  async function remove(path: string, grace: number): Promise<boolean> {
    if (!(await isOlder(path, grace))) return false; // it was renewed after `referenced` was called
    // The file is renamed before it is deleted, so that a concurrent write stores the bytes anew instead of relying
    // on this file. A write between the check and the rename has updated the modification time, so it is checked
    // again.
    const removed = join(unfinished, randomUUID());
    if (!(await renameIfPresent(path, removed))) return false; // another process has deleted it
    const isOld = await isOlder(removed, grace);
    await (isOld ? unlink(removed) : rename(removed, path));
    return isOld;
  }

  /**
   * The result of looking up a blob; undefined if it does not exist.
   * @throws BlobStoreAway if the folder is missing or unusable.
   */
  async function found<T>(looking: Promise<T>): Promise<T | undefined> {
    try {
      const value = await ifPresent(looking);
      if (value === undefined) await stat(unfinished);
      return value;
    } catch (error) {
      throw asStoreError(error);
    }
  }

  /** Throws the error for a blob that cannot be read: BlobMissing, or BlobStoreAway if the whole folder is unusable. */
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
      // The files are checked here, because the programs that read them cannot report which of the two errors it is.
      await Promise.all(
        digests.map((digest) => access(file(digest), constants.R_OK).catch(unreadable(digest))),
      );
      return use(file);
    },
    lengthOf: async (digest) => (isDigest(digest) ? (await found(stat(file(digest))))?.size : undefined),
    renew: async (digest) => {
      if (!isDigest(digest)) return undefined;
      const now = new Date();
      // The grace period starts at the modification time.
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
        const inUse = await referenced(digests);
        for (const digest of digests)
          if (!inUse.has(digest) && (await remove(file(digest), grace))) deleted += 1;
      }
      return deleted;
    },
  };
  return store;
}
