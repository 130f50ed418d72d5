import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';

/** Names the folder of this run, which global-setup.ts makes and global-teardown.ts removes. */
export const runFolder = 'QUIRE_TEST_FOLDER';

/** A new folder, removed at the end of the run. Others may pass it: below it, root's PostgreSQL is another user's. */
export function newFolder(): string {
  const folder = mkdtempSync(join(process.env[runFolder] ?? '', 'folder-'));
  chmodSync(folder, 0o711);
  return folder;
}
