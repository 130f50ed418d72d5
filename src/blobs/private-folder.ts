import { chmod, mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Modes that keep other accounts of the computer out; Windows has none of the kind. */
export const ownerOnly = { folder: 0o700, file: 0o600 } as const;

/** To be passed is no harm: PostgreSQL, which root starts under another account, passes DATA_DIR. */
const isOpen = async (path: string): Promise<boolean> =>
  process.platform !== 'win32' && ((await stat(path)).mode & 0o066) !== 0;

/** What another account owns keeps its mode, and what another process deletes needs none. */
const close = (path: string, mode: number): Promise<void> => chmod(path, mode).catch(() => {});

/** Makes a folder, and keeps others out. @returns false when it stays open: its owner is another account. */
export async function makePrivate(folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: ownerOnly.folder });
  if (await isOpen(folder)) await close(folder, ownerOnly.folder);
  return !(await isOpen(folder));
}

/**
 * Does so with a folder of earlier releases and everything below it. The folder comes last: a walk that was
 * cut off is repeated, and one that is done never is, since there may be millions of files.
 * @param inner a folder in it, which shows whether its files keep modes at all.
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
