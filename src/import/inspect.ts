import type { Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { asSkipped, Skipped } from './skipped.ts';

function special(stats: Stats): string {
  if (stats.isFIFO()) return 'a named pipe';
  if (stats.isSocket()) return 'a socket';
  return 'a device';
}

async function throughLink(path: string): Promise<Stats> {
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Skipped('a symbolic link to nothing') : error;
  });
  // Its content is imported where it really is; following it may never end.
  if (stats.isDirectory()) throw new Skipped('a symbolic link to a folder');
  return stats;
}

/**
 * What is at a path: a folder, a file, or what a symbolic link to a file leads to.
 * @throws Skipped when it is nothing that can be imported.
 */
export async function inspect(path: string): Promise<Stats> {
  try {
    const stats = await lstat(path);
    const target = stats.isSymbolicLink() ? await throughLink(path) : stats;
    if (target.isFile() || target.isDirectory()) return target;
    throw new Skipped(special(target));
  } catch (error) {
    throw error instanceof Skipped ? error : asSkipped(path, error);
  }
}
