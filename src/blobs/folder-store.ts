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

/** Flushes a folder to disk. Otherwise, a file renamed within it may not survive a crash of the machine. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Awaits a file operation. @returns the result of the operation; undefined if the file does not exist. */
const ifPresent = <T>(found: Promise<T>): Promise<T | undefined> =>
  found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** Renames a file. @returns whether it existed. */
const renameIfPresent = async (from: string, to: string): Promise<boolean> =>
  (await ifPresent(rename(from, to).then(() => true))) ?? false;

/** Whether a file exists and was modified more than `age` milliseconds ago. */
export const isOlder = async (file: string, age: number): Promise<boolean> =>
  stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs >= age,
    () => false,
  );

export const isDigest = (text: string): boolean => /^[\da-f]{64}$/.test(text);

/** Returns the path of a blob, relative to its store's folder or prefix: `ab/cd/abcd…`. */
export const placeOf = (digest: string): string => `${digest.slice(0, 2)}/${digest.slice(2, 4)}/${digest}`;

/** The number of digests on a page that `list` returns. */
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
  /** Returns the path of the file for a digest, whether or not the file exists. */
  file(digest: string): string;
}

/**
 * Opens a blob store in a folder. Blobs are files named `ab/cd/abcd…`; the subfolder `unfinished` contains temporary
 * files.
 */
export async function openFolderStore(folder: string): Promise<FolderStore> {
  const unfinished = join(folder, 'unfinished');
  await makePrivate(folder);
  await makePrivate(unfinished);
  await removeLeftFiles(unfinished);
  const file = (digest: string) => join(folder, placeOf(digest));

  /** The folders whose entries in their parent folders have been flushed to disk. */
  const settled = new Set<string>();

  // Durably moves a written file to its final path. If the file or a folder already exists, a concurrent write may have
  // created it without having flushed it yet, so everything is always flushed.
  async function publish(written: string, digest: string): Promise<void> {
    const target = file(digest);
    const parent = dirname(target);
    await mkdir(parent, { recursive: true, mode: ownerOnly.folder });
    await rename(written, target); // this also replaces an existing file, which may be damaged
    await syncFolder(parent);
    const unsettled = [parent, dirname(parent)].filter((each) => !settled.has(each));
    await Promise.all(unsettled.map((each) => syncFolder(dirname(each))));
    for (const each of unsettled) settled.add(each);
  }

  /**
   * Deletes a file if it is older than the grace period.
   * @returns false if the file has been renewed or another process has deleted it.
   */
  async function remove(path: string, grace: number): Promise<boolean> {
    if (!(await isOlder(path, grace))) return false; // the file was renewed while `referenced` was running
    // The file is renamed before it is deleted, so that a concurrent write stores the bytes again instead of reusing
    // this file. A write between the first check and the rename has updated the modification time, so the age is
    // checked again.
    const removed = join(unfinished, randomUUID());
    if (!(await renameIfPresent(path, removed))) return false; // another process has deleted the file
    const isOld = await isOlder(removed, grace);
    await (isOld ? unlink(removed) : rename(removed, path));
    return isOld;
  }

  /**
   * Awaits the lookup of a blob. @returns undefined if the blob does not exist.
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

  /**
   * Throws the error for a blob that cannot be read: BlobStoreAway if the whole folder is unusable, otherwise
   * BlobMissing.
   */
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
      // The files are checked here, because the programs that read them would not report whether a file or the whole
      // folder is missing.
      await Promise.all(
        digests.map((digest) => access(file(digest), constants.R_OK).catch(unreadable(digest))),
      );
      return use(file);
    },
    lengthOf: async (digest) => (isDigest(digest) ? (await found(stat(file(digest))))?.size : undefined),
    renew: async (digest) => {
      if (!isDigest(digest)) return undefined;
      const now = new Date();
      // Updating the modification time restarts the grace period.
      const exists = await found(utimes(file(digest), now, now).then(() => true));
      return exists ? store.lengthOf(digest) : undefined;
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
