import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';

/** Names the folder of this run, which global-setup.ts makes and global-teardown.ts removes. */
export const runFolder = 'QUIRE_TEST_FOLDER';

/** A new folder, removed at the end of the run. */
export const newFolder = (): string => mkdtempSync(join(process.env[runFolder] ?? '', 'folder-'));
