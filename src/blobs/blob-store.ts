import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, unlink, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Bytes that are safely on disk, by their SHA-256 in hexadecimal. */
export interface StoredBlob {
  readonly digest: string;
  /** In bytes. */
  readonly length: number;
}

/** Content-addressed files: the same bytes are kept once, and bytes never change under a digest. */
export interface BlobStore {
  /** Keeps the bytes; when it resolves, they survive a crash of the machine. */
  write(bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<StoredBlob>;
  /** The file with these bytes. */
  file(digest: string): string;
  /** Has a sweep leave these bytes alone for a while; how many they are, or undefined when they are not here. */
  renew(digest: string): Promise<number | undefined>;
  /**
   * Deletes what nobody refers to, and what unfinished writes left behind.
   * @param referenced of some digests, those that a row refers to.
   * @param grace milliseconds for which a file is left alone after it was last written: its row may be on the way.
   * @returns how many files are gone.
   */
  sweep(referenced: (digests: string[]) => Promise<ReadonlySet<string>>, grace: number): Promise<number>;
}

/** Makes a rename survive a crash: the folder that names the file is itself written. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a new file, to the last byte on disk. */
async function writeFile(path: string, bytes: Parameters<BlobStore['write']>[0]): Promise<StoredBlob> {
  const hash = createHash('sha256');
  let length = 0;
  const file = await open(path, 'wx');
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

/** Renews a file's age, so that a sweep leaves it alone; false when there is no such file. */
async function touch(file: string): Promise<boolean> {
  const now = new Date();
  return utimes(file, now, now).then(
    () => true,
    () => false,
  );
}

/** Renames a file; false when there is no such file. */
const renamed = (from: string, to: string): Promise<boolean> =>
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

/** A store in a folder of its own, made if it is not there: `ab/cd/abcd…` and `unfinished/`. */
export async function openBlobStore(folder: string): Promise<BlobStore> {
  const unfinished = join(folder, 'unfinished');
  await mkdir(unfinished, { recursive: true });
  const file = (digest: string) => join(folder, digest.slice(0, 2), digest.slice(2, 4), digest);

  async function place(written: string, digest: string): Promise<void> {
    const target = file(digest);
    if (await touch(target)) return unlink(written);
    const parent = dirname(target);
    const made = await mkdir(parent, { recursive: true });
    await rename(written, target);
    await syncFolder(parent);
    if (made) await Promise.all([syncFolder(dirname(parent)), syncFolder(folder)]);
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
        await place(temporary, stored.digest);
        return stored;
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
    },
    sweep: async (referenced, grace) => {
      let gone = 0;
      const remove = async (path: string): Promise<void> => {
        if (!(await isOlder(path, grace))) return; // written again since we asked
        // Set aside first: a write that comes now does not find it and places its own, and one that came
        // between the two looks has touched it.
        const aside = join(unfinished, randomUUID());
        if (!(await renamed(path, aside))) return; // another process sweeps too
        if (!(await isOlder(aside, grace))) return rename(aside, path);
        await unlink(aside);
        gone += 1;
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
      return gone;
    },
  };
}
