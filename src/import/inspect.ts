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
  // Its content is imported where it is; links to folders may form circles.
  if (stats.isDirectory()) throw new Skipped('a symbolic link to a folder');
  return stats;
}

/** The stats of a folder or file, by a symbolic link too. @throws Skipped when it cannot be imported. */
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
