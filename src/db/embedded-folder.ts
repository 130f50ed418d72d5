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

/** The child's whole program: create a database in the folder given, and leave. */
const create =
  'require(process.argv[1]).PGlite.create(process.argv[2]).then((db) => db.close()).then(() => process.exit())';

/** In a process of its own, since creating a database leaves 500 MB behind that are never given back. */
const createEmpty = (folder: string) =>
  promisify(execFile)(process.execPath, ['--eval', create, pglite, folder]);

/** Where the build keeps what it prepared. */
const place = fileURLToPath(new URL('../prepared', import.meta.url));

/**
 * The folder of a database with all tables and no content. Its name tells the engine and the tables, so that one made
 * by another build is never taken.
 */
async function preparedIn(base: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(dirname(pglite), '../package.json'), 'utf8'));
  const state = JSON.stringify([version, await readMigrations()]);
  const name = createHash('sha256').update(state).digest('hex').slice(0, 16);
  return join(base, name);
}

/** Makes a folder under another name first, so that a half-made one is never taken for a whole one. */
async function whole(folder: string, make: (unfinished: string) => Promise<unknown>): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await make(unfinished);
  await rename(unfinished, folder);
}

/** Lays down the files of a database: copies of those that the build prepared, or an empty one where it did not. */
export async function createDatabaseFolder(folder: string, base = place): Promise<void> {
  const prepared = await preparedIn(base);
  await whole(folder, (unfinished) =>
    existsSync(prepared) ? cp(prepared, unfinished, { recursive: true }) : createEmpty(unfinished),
  );
}

/**
 * Prepares the database that new data folders start from, unless it is there.
 * @param lay brings the tables of the database in a folder up to date.
 */
export async function prepareDatabaseFolder(
  lay: (folder: string) => Promise<void>,
  base = place,
): Promise<void> {
  const prepared = await preparedIn(base);
  if (existsSync(prepared)) return;
  await rm(base, { recursive: true, force: true });
  await mkdir(base, { recursive: true });
  await whole(prepared, async (unfinished) => {
    await createEmpty(unfinished);
    await lay(unfinished);
  });
}
