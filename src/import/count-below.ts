import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Counts the files and folders below a folder, to show the progress of the import. Only directory entries are read. */
export async function countBelow(folder: string): Promise<number> {
  const pending = [folder];
  let count = 1;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const entries = await readdir(next, { withFileTypes: true }).catch(() => []);
    count += entries.length;
    for (const entry of entries) if (entry.isDirectory()) pending.push(join(next, entry.name));
  }
  return count;
}
