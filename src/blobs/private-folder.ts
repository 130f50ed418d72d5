import { chmod, mkdir, stat } from 'node:fs/promises';

/** The modes of folders and files that only their owner can access. Windows does not have such modes. */
export const ownerOnly = { folder: 0o700, file: 0o600 } as const;

/**
 * Whether others can read or write. Execute permission is allowed: PostgreSQL, run by another user, traverses
 * DATA_DIR.
 */
const isOpen = async (path: string): Promise<boolean> =>
  process.platform !== 'win32' && ((await stat(path)).mode & 0o066) !== 0;

/**
 * Creates a folder that only its owner can access, or changes the mode of an existing one.
 * @returns false if it is accessible because another user owns it, or because its file system ignores modes.
 */
export async function makePrivate(folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: ownerOnly.folder });
  if (await isOpen(folder)) await chmod(folder, ownerOnly.folder).catch(() => {});
  return !(await isOpen(folder));
}
