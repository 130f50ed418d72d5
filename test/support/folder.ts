import { chmodSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The environment variable with the path of this run's folder. global-setup.ts creates the folder, and
 * global-teardown.ts deletes it.
 */
export const runFolder = 'QUIRE_TEST_FOLDER';

/**
 * Creates a folder that is deleted when the run ends. Other users can enter it, because PostgreSQL runs as another user
 * if the tests run as root.
 */
export function newFolder(): string {
  const folder = mkdtempSync(join(process.env[runFolder] ?? '', 'folder-'));
  chmodSync(folder, 0o711);
  return folder;
}
