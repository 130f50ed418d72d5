import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, unlink, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { InsufficientStorage } from '../errors.ts';
import { makeAllPrivate, ownerOnly } from './private-folder.ts';

interface StoredBytes {
  readonly digest: string;
  readonly length: number;
}

/** Content-addressed files: equal bytes are stored once, and the bytes of a digest never change. */
export interface BlobStore {
  /** Stores bytes; once it resolves, they survive a crash of the machine. @throws InsufficientStorage */
  write(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<StoredBytes>;
  file(digest: string): string;
  /** Restarts the grace period of a file. @returns its length, or undefined when there is no such file. */
  renew(digest: string): Promise<number | undefined>;
  /**
   * Deletes files that no row refers to, and the rest of unfinished writes.
   * @param referenced returns those of the digests that a row refers to.
   * @param grace milliseconds after a write in which a file is kept: the row may not be committed yet.
   * @returns the number of deleted files.
   */
  sweep(referenced: (digests: string[]) => Promise<ReadonlySet<string>>, grace: number): Promise<number>;
}

/** Syncs the folder entry, without which a rename may not survive a crash. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeFile(path: string, bytes: Parameters<BlobStore['write']>[0]): Promise<StoredBytes> {
  const hash = createHash('sha256');
  let length = 0;
  const file = await open(path, 'wx', ownerOnly.file);
  try {
    for await (const chunk of bytes) {
      hash.update(chunk);
      length += chunk.byteLength;
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { digest: hash.digest('hex'), length };
}

/** The disk is full, or the quota of the account that the server runs under. */
const isFull = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOSPC' || code === 'EDQUOT';

/** Updates the modification time, from which a sweep counts; false when there is no such file. */
async function touch(file: string): Promise<boolean> {
  const now = new Date();
  return utimes(file, now, now).then(
    () => true,
    () => false,
  );
}

/** False when there is no such file. */
const renameIfPresent = (from: string, to: string): Promise<boolean> =>
  rename(from, to).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );

const isOlder = async (file: string, age: number): Promise<boolean> =>
  stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs >= age,
    () => false,
  );

/** Opens or creates a store in a folder: `ab/cd/abcd…` are blobs, `unfinished/` holds temporary files. */
export async function openBlobStore(folder: string): Promise<BlobStore> {
  const unfinished = join(folder, 'unfinished');
  await makeAllPrivate(folder, unfinished);
  const file = (digest: string) => join(folder, digest.slice(0, 2), digest.slice(2, 4), digest);

  async function publish(written: string, digest: string): Promise<void> {
    const target = file(digest);
    if (await touch(target)) return unlink(written);
    const parent = dirname(target);
    const isNewFolder = await mkdir(parent, { recursive: true, mode: ownerOnly.folder });
    await rename(written, target);
    await syncFolder(parent);
    if (isNewFolder) await Promise.all([syncFolder(dirname(parent)), syncFolder(folder)]);
  }

  return {
    file,
    renew: async (digest) => {
      if (!/^[\da-f]{64}$/.test(digest) || !(await touch(file(digest)))) return undefined;
      return (await stat(file(digest))).size;
    },
    write: async (bytes) => {
      const temporary = join(unfinished, randomUUID());
      try {
        const stored = await writeFile(temporary, bytes);
        await publish(temporary, stored.digest);
        return stored;
      } catch (error) {
        await rm(temporary, { force: true });
        if (!isFull(error as Error)) throw error;
        throw new InsufficientStorage('there is no space for these bytes: nothing was stored', {
          cause: error,
        });
      }
    },
    sweep: async (referenced, grace) => {
      let deleted = 0;
      const remove = async (path: string): Promise<void> => {
        if (!(await isOlder(path, grace))) return; // written again after `referenced`
        // Renamed first: a concurrent write then stores the file anew instead of relying on it. A write
        // between the check and the rename has updated the modification time, so it is checked again.
        const removed = join(unfinished, randomUUID());
        if (!(await renameIfPresent(path, removed))) return; // another process sweeps too
        if (!(await isOlder(removed, grace))) return rename(removed, path);
        await unlink(removed);
        deleted += 1;
      };
      for (const name of await readdir(unfinished)) await remove(join(unfinished, name));
      for (const first of await readdir(folder)) {
        if (first.length !== 2) continue;
        const digests = (await readdir(join(folder, first), { recursive: true }))
          .map((path) => basename(path))
          .filter((name) => name.length === 64);
        const kept = await referenced(digests);
        for (const digest of digests) if (!kept.has(digest)) await remove(file(digest));
      }
      return deleted;
    },
  };
}
