import { chmod, mkdir, stat } from 'node:fs/promises';

/** The modes of folders and files that only their owner can access. Windows does not have such modes. */
export const ownerOnly = { folder: 0o700, file: 0o600 } as const;

/**
 * Whether other users can read or write a file or folder. Execute permission is allowed, because PostgreSQL may run as
 * another user, who must be able to traverse DATA_DIR.
 */
export const isOpen = async (path: string): Promise<boolean> =>
  process.platform !== 'win32' && ((await stat(path)).mode & 0o066) !== 0;

/**
 * Creates a folder that only its owner can access, or makes an existing folder private.
 * @returns false if others can still access the folder, because another user owns it or its file system ignores modes.
 */
export async function makePrivate(folder: string): Promise<boolean> {
  await mkdir(folder, { recursive: true, mode: ownerOnly.folder });
  if (await isOpen(folder)) await chmod(folder, ownerOnly.folder).catch(() => {});
  return !(await isOpen(folder));
}
