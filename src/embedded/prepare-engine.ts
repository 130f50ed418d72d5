import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Unavailable } from '../errors.ts';
import { CannotRun, type Engine, type RunningEngine } from './engine.ts';
import { embeddedFolder, keptWord } from './files.ts';
import { freePort } from './free-port.ts';
import { choosePlace, clusterFolder, clustersIn, fallbackFolder, hasCluster, type Place } from './place.ts';
import { createCluster, postgresql } from './postgresql.ts';
import { inspectPrograms, installPrograms, type Programs } from './programs.ts';

/** A database that an older release has written, which this one carries over. */
interface OlderDatabase {
  readonly folder: string;
  start(port: number): Promise<RunningEngine>;
}

const programsOf = (place: Place, isWanted: (major: number) => boolean): string[] =>
  readdirSync(place.folder)
    .filter((name) => isWanted(Number(/^programs-(\d+)\.[^/]*(?<!\.unfinished)$/.exec(name)?.[1])))
    .map((name) => join(place.folder, name));

function olderCluster(place: Place, password: string): OlderDatabase | undefined {
  const [major] = clustersIn(place.folder);
  if (major === undefined) return undefined;
  const folder = clusterFolder(place.folder, major);
  const [programs] = programsOf(place, (each) => each === major);
  if (programs === undefined)
    throw new Unavailable(`${folder} is of PostgreSQL ${major}, whose programs are not beside it any more`);
  const { start } = postgresql(inspectPrograms(programs, place.owner), place, password);
  return { folder, start };
}

/** Deletes the folder of a database that was carried over, under a name that shows that it is not needed. */
function discard(folder: string): void {
  renameSync(folder, `${folder}.carried-over`);
  rmSync(`${folder}.carried-over`, { recursive: true, force: true });
}

/** Creates the cluster of the installed programs: an empty one, or one with the rows of the older database. */
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
 * Stops the start on a folder that only the PGlite fallback of Quire 0.1 can read, instead of serving an empty database.
 * @throws Unavailable
 */
function refuseFallbackData(dataDir: string): void {
  const folder = fallbackFolder(dataDir);
  if (!existsSync(folder) || hasCluster(dataDir)) return;
  throw new Unavailable(
    `${folder} was written by the PGlite engine of Quire 0.1, which this version cannot read. Back it up with Quire 0.1 (npx quire backup FILE), remove the folder, and restore the file with this version (npx quire restore FILE).`,
  );
}

/** The error for a machine on which PostgreSQL's programs cannot run, or whose disk is full. */
function unavailable(error: CannotRun, dataDir: string): Unavailable {
  // `initdb` gives its reason only as a text on standard error: its exit code is 1 for every fault.
  const space = /no space left on device|disk quota exceeded/i.exec(error.message)?.[0];
  return new Unavailable(
    space === undefined
      ? `The embedded PostgreSQL cannot run here: ${error.message}. Set DATABASE_URL to a PostgreSQL server, or run Quire on an image with glibc and as a user that PostgreSQL accepts.`
      : `the embedded database of ${dataDir} cannot be made: ${space}`,
    { cause: error },
  );
}

/**
 * Prepares the PostgreSQL of a data folder: installs its programs, and creates its cluster when there is none.
 * @param connections how many the database has to admit.
 * @throws Unavailable when PostgreSQL cannot run here, or the folder holds a database that it cannot read.
 */
export async function prepareEngine(dataDir: string, connections: number): Promise<Engine> {
  const folder = embeddedFolder(dataDir);
  refuseFallbackData(dataDir);
  const password = keptWord(join(folder, 'password'), 24);
  try {
    return await onPostgresql(dataDir, password, connections);
  } catch (error) {
    throw error instanceof CannotRun ? unavailable(error, dataDir) : error;
  }
}
