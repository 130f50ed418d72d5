import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The modes of folders and files that only their owner can access. Windows does not have such modes. */
export const ownerOnly = { folder: 0o700, file: 0o600 } as const;

/**
 * Whether others can read or write. Execute permission is allowed: PostgreSQL, run by another user, traverses
 * DATA_DIR.
 */
const isOpen = async (path: string): Promise<boolean> =>
  process.platform !== 'win32' && ((await stat(path)).mode & 0o066) !== 0;

/** Changes a mode. Errors are ignored: the file may belong to another user, or have been deleted. */
const close = (path: string, mode: number): Promise<void> => chmod(path, mode).catch(() => {});

/** Creates a folder that only its owner can access. @returns false if it is accessible because another user owns it. */
export async function makePrivate(folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: ownerOnly.folder });
  if (await isOpen(folder)) await close(folder, ownerOnly.folder);
  return !(await isOpen(folder));
}

/**
 * Makes a folder of an earlier release, and everything below it, private. The folder itself is changed last, so that an
 * interrupted walk is repeated and a complete one is not: there can be millions of files.
 * @param inner a folder inside. It is tested first, because some file systems ignore modes.
 */
export async function makeAllPrivate(folder: string, inner: string): Promise<void> {
  if (!(await makePrivate(inner)) || !(await isOpen(folder))) return;
  for (const name of await readdir(folder)) {
    const entries = await readdir(join(folder, name), { recursive: true, withFileTypes: true });
    for (const entry of entries)
      if (entry.isFile()) await close(join(entry.parentPath, entry.name), ownerOnly.file);
      else if (entry.isDirectory()) await close(join(entry.parentPath, entry.name), ownerOnly.folder);
    await close(join(folder, name), ownerOnly.folder);
  }
  await close(folder, ownerOnly.folder);
}
