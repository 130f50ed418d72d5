import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readMigrations } from './migration-files.ts';

const pglite = createRequire(import.meta.url).resolve('@electric-sql/pglite');

const program =
  'require(process.argv[1]).PGlite.create(process.argv[2]).then((db) => db.close()).then(() => process.exit())';

/** In a process of its own, since creating a database takes 500 MB, which a process never gives back. */
const createEmpty = (folder: string) =>
  promisify(execFile)(process.execPath, ['--eval', program, pglite, folder]);

const preparedFolder = fileURLToPath(new URL('../prepared', import.meta.url));

// The folder of the prepared database: its name is a hash of engine and migrations, so that no other build
// uses it.
async function preparedIn(base: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(pglite), '../package.json'), 'utf8'));
  const state = JSON.stringify([version, await readMigrations()]);
  const name = createHash('sha256').update(state).digest('hex').slice(0, 16);
  return join(base, name);
}

/** Makes a folder under another name first, so that an unfinished one is never used. */
async function makeWhole(folder: string, make: (unfinished: string) => Promise<unknown>): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await make(unfinished);
  await rename(unfinished, folder);
}

/** Creates the files of a database: a copy of the prepared one, else an empty one. */
export async function createDatabaseFolder(folder: string, base = preparedFolder): Promise<void> {
  const prepared = await preparedIn(base);
  await makeWhole(folder, (unfinished) =>
    existsSync(prepared) ? cp(prepared, unfinished, { recursive: true }) : createEmpty(unfinished),
  );
}

/** Prepares the database that new data folders are copied from, unless it is there. */
export async function prepareDatabaseFolder(
  migrate: (folder: string) => Promise<void>,
  base = preparedFolder,
): Promise<void> {
  const prepared = await preparedIn(base);
  if (existsSync(prepared)) return;
  await rm(base, { recursive: true, force: true });
  await mkdir(base, { recursive: true });
  await makeWhole(prepared, async (unfinished) => {
    await createEmpty(unfinished);
    await migrate(unfinished);
  });
}
