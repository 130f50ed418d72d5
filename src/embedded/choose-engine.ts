import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineWish } from '../config.ts';
import { Unavailable } from '../errors.ts';
import { CannotRun, type Engine, type RunningEngine } from './engine.ts';
import { embeddedFolder, keptWord } from './files.ts';
import { freePort } from './free-port.ts';
import { pglite, pgliteFolder, startPglite } from './pglite.ts';
import { choosePlace, clusterFolder, clustersIn, hasCluster, type Place } from './place.ts';
import { createCluster, postgresql } from './postgresql.ts';
import { inspectPrograms, installPrograms, type Programs } from './programs.ts';

export interface EngineWishes {
  readonly engine: EngineWish;
  readonly connections: number;
}

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

function olderDatabase(dataDir: string, place: Place, password: string): OlderDatabase | undefined {
  const cluster = olderCluster(place, password);
  const folder = pgliteFolder(dataDir);
  if (cluster || !existsSync(folder)) return cluster;
  return { folder, start: (port) => startPglite(folder, password, port) };
}

/** Deletes the folder of a database that was carried over, under a name that shows that it is not needed. */
function discard(folder: string): void {
  renameSync(folder, `${folder}.carried-over`);
  rmSync(`${folder}.carried-over`, { recursive: true, force: true });
}

/** The cluster of the installed programs: an empty one, or with the rows of the older database. */
async function createFilled(
  dataDir: string,
  programs: Programs,
  place: Place,
  password: string,
): Promise<void> {
  const older = olderDatabase(dataDir, place, password);
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
  if (!existsSync(clusterFolder(place.folder, programs.major)))
    await createFilled(dataDir, programs, place, password);
  const isUnused = (major: number) => major <= programs.major;
  for (const folder of programsOf(place, isUnused))
    if (folder !== programs.folder) rmSync(folder, { recursive: true, force: true });
  return postgresql(programs, place, password, connections);
}

/** A full disk ends the start: the fallback would need space as well, and would be kept for ever. */
function requireSpace(error: unknown, dataDir: string): void {
  const reason = /no space left on device|disk quota exceeded/i.exec(String(error))?.[0];
  if (reason === undefined) return;
  throw new Unavailable(`the embedded database of ${dataDir} cannot be made: ${reason}`, { cause: error });
}

/**
 * Chooses the engine of a data folder, and makes its database when there is none.
 * @throws Unavailable when the folder holds a database that the engine cannot read.
 */
export async function chooseEngine(
  dataDir: string,
  { engine: wish, connections }: EngineWishes,
): Promise<Engine> {
  const folder = embeddedFolder(dataDir);
  const password = keptWord(join(folder, 'password'), 24);
  let reason = 'EMBEDDED_ENGINE asks for it';
  if (wish !== 'pglite') {
    try {
      return await onPostgresql(dataDir, password, connections);
    } catch (error) {
      requireSpace(error, dataDir);
      if (!(error instanceof CannotRun)) throw error;
      reason = error.message;
    }
  }
  if (wish === 'postgresql') throw new Unavailable(reason);
  if (hasCluster(dataDir)) throw new Unavailable(`PostgreSQL holds the rows of ${dataDir}, but ${reason}`);
  return pglite(dataDir, password, reason);
}
