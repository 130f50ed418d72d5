import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';

/** The variable with the folder of this run, which global-setup.ts creates and global-teardown.ts removes. */
export const runFolder = 'QUIRE_TEST_FOLDER';

/**
 * Creates a folder, which is removed at the end of the run. Other users can traverse it, because PostgreSQL runs as
 * another user if the tests run as root.
 */
export function newFolder(): string {
  const folder = mkdtempSync(join(process.env[runFolder] ?? '', 'folder-'));
  chmodSync(folder, 0o711);
  return folder;
}
