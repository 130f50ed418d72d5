import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '../errors.ts';
import { CannotRun, type Engine, type RunningEngine } from './engine.ts';
import { embeddedFolder, storedSecret } from './files.ts';
import { freePort } from './free-port.ts';
import { choosePlace, clusterFolder, clustersIn, fallbackFolder, hasCluster, type Place } from './place.ts';
import { createCluster, postgresql } from './postgresql.ts';
import { inspectPrograms, installPrograms, type Programs } from './programs.ts';

/** The database of an older release, from which rows are copied to the new database. */
interface OlderDatabase {
  readonly folder: string;
  start(port: number): Promise<RunningEngine>;
}

/** Returns the folders of complete PostgreSQL installations whose major version satisfies `isNeeded`. */
const programsOf = (place: Place, isNeeded: (major: number) => boolean): string[] =>
  readdirSync(place.folder)
    .filter((name) => isNeeded(Number(/^programs-(\d+)\.[^/]*(?<!\.unfinished)$/.exec(name)?.[1])))
    .map((name) => join(place.folder, name));

function olderCluster(place: Place, password: string): OlderDatabase | undefined {
  const [major] = clustersIn(place.folder);
  if (major === undefined) return undefined;
  const folder = clusterFolder(place.folder, major);
  const [programs] = programsOf(place, (each) => each === major);
  if (programs === undefined)
    throw new Unavailable(
      `${folder} is a cluster of PostgreSQL ${major}, but the programs of this version have been deleted from ${place.folder}.`,
    );
  const { start } = postgresql(inspectPrograms(programs, place.owner), place, password);
  return { folder, start };
}

/**
 * Deletes the folder of a database that has been copied. The folder is renamed first, so that an interrupted deletion
 * can be detected.
 */
function discard(folder: string): void {
  renameSync(folder, `${folder}.carried-over`);
  rmSync(`${folder}.carried-over`, { recursive: true, force: true });
}

/** Creates a cluster for the installed programs, either empty or with the rows of an older database. */
async function createFilled(programs: Programs, place: Place, password: string): Promise<void> {
  const older = olderCluster(place, password);
  if (!older) return createCluster(programs, place, password);
  const { carryOver } = await import('./carry-over.ts');
  await createCluster(programs, place, password, async (url) => {
    const running = await older.start(await freePort());
    try {
      await carryOver(running.url, url);
    } finally {
      await running.stop();
    }
  });
  discard(older.folder);
}

async function onPostgresql(dataDir: string, password: string, connections: number): Promise<Engine> {
  const place = choosePlace(dataDir);
  const programs = installPrograms(place.folder, place.owner);
  if (!existsSync(clusterFolder(place.folder, programs.major))) await createFilled(programs, place, password);
  const isUnused = (major: number) => major <= programs.major;
  for (const folder of programsOf(place, isUnused))
    if (folder !== programs.folder) rmSync(folder, { recursive: true, force: true });
  return postgresql(programs, place, password, connections);
}

/**
 * Rejects a data folder that only Quire 0.1's PGlite engine can read. Otherwise, the server would start with an empty
 * database and the data would seem to be lost.
 * @throws Unavailable if there is such data and no PostgreSQL cluster.
 */
function refuseFallbackData(dataDir: string): void {
  const folder = fallbackFolder(dataDir);
  if (!existsSync(folder) || hasCluster(dataDir)) return;
  throw new Unavailable(
    `${folder} was written by the PGlite engine of Quire 0.1, which this version cannot read. Back it up with Quire 0.1 (npx quire backup FILE), remove the folder, and restore the file with this version (npx quire restore FILE).`,
  );
}

/** Creates the error that tells the server operator that PostgreSQL cannot run or that the disk is full. */
function unavailable(error: CannotRun, dataDir: string): Unavailable {
  // `initdb` exits with code 1 for every error and reports the reason only on standard error.
  const space = /no space left on device|disk quota exceeded/i.exec(error.message)?.[0];
  return new Unavailable(
    space === undefined
      ? `The embedded PostgreSQL cannot run here: ${error.message}. Set DATABASE_URL to a PostgreSQL server, or run Quire on a system with glibc and as a user that PostgreSQL accepts.`
      : `The embedded database of ${dataDir} cannot be created: ${space}.`,
    { cause: error },
  );
}

/**
 * Prepares PostgreSQL for a data folder: installs the programs and, if there is no cluster, creates one.
 * @param connections the number of connections that the database must accept.
 * @throws Unavailable if PostgreSQL cannot run here, or the folder contains a database that it cannot read.
 */
export async function prepareEngine(dataDir: string, connections: number): Promise<Engine> {
  const folder = embeddedFolder(dataDir);
  refuseFallbackData(dataDir);
  const password = storedSecret(join(folder, 'password'), 24);
  try {
    return await onPostgresql(dataDir, password, connections);
  } catch (error) {
    throw error instanceof CannotRun ? unavailable(error, dataDir) : error;
  }
}
