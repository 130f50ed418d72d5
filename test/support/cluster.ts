import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningEngine } from '../../src/embedded/engine.ts';
import { makeEmbeddedFolder } from '../../src/embedded/files.ts';
import { freePort } from '../../src/embedded/free-port.ts';
import { choosePlace, clusterFolder, type Place } from '../../src/embedded/place.ts';
import { createCluster, postgresql } from '../../src/embedded/postgresql.ts';
import { installPrograms } from '../../src/embedded/programs.ts';
import { newFolder } from './folder.ts';
import { query } from './query.ts';

/** A separate PostgreSQL server, which tests can stop, kill and promote. */
export interface Cluster {
  readonly url: string;
  start(): Promise<void>;
  /** Shuts the server down cleanly, if it is running. */
  stop(): Promise<void>;
  /** Stops the server immediately, as in a crash. */
  kill(): Promise<void>;
  query(sql: string): Promise<Array<Record<string, unknown>>>;
}

interface Installed {
  readonly place: Place;
  readonly programs: ReturnType<typeof installPrograms>;
  readonly password: string;
}

function clusterAt({ place, programs, password }: Installed, port: number): Cluster {
  const engine = postgresql(programs, place, password);
  const folder = clusterFolder(place.folder, programs.major);
  const url = `postgresql://quire:${password}@127.0.0.1:${port}/postgres`;
  let running: RunningEngine | undefined;
  return {
    url,
    start: async () => {
      running = await engine.start(port);
    },
    stop: async () => {
      await running?.stop();
      running = undefined;
    },
    kill: async () => {
      const [pid] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
      process.kill(Number(pid), 'SIGQUIT');
      await running?.ended;
      running = undefined;
    },
    query: (sql) => query(url, sql),
  };
}

function newPlace(): Place {
  const folder = newFolder();
  makeEmbeddedFolder(folder);
  return choosePlace(folder);
}

export interface Replicated extends AsyncDisposable {
  readonly primary: Cluster;
  readonly standby: Cluster;
}

async function newCluster(): Promise<Installed & { readonly primary: Cluster }> {
  const place = newPlace();
  const programs = installPrograms(place.folder, place.owner);
  const password = 'secret';
  await createCluster(programs, place, password);
  return { place, programs, password, primary: clusterAt({ place, programs, password }, await freePort()) };
}

/** Starts a server without a standby. */
export async function startPrimary(): Promise<Cluster & AsyncDisposable> {
  const { primary } = await newCluster();
  await primary.start();
  return { ...primary, [Symbol.asyncDispose]: primary.stop };
}

/** Starts a primary and a standby that replicates it by streaming. */
export async function startReplicated(): Promise<Replicated> {
  const { place: first, programs, password, primary } = await newCluster();
  const second = newPlace();
  const standby = clusterAt({ place: second, programs, password }, await freePort());
  const [from, to] = [first, second].map(({ folder }) => clusterFolder(folder, programs.major)) as [
    string,
    string,
  ];
  // Only standbys use this setting.
  appendFileSync(join(from, 'postgresql.auto.conf'), `primary_conninfo = '${primary.url}'\n`);
  execFileSync('cp', ['-a', from, to]);
  // Only the existence of this file matters, not its content.
  execFileSync('cp', ['-p', join(to, 'PG_VERSION'), join(to, 'standby.signal')]);
  await primary.start();
  await standby.start();
  return {
    primary,
    standby,
    [Symbol.asyncDispose]: async () => void (await Promise.all([standby.stop(), primary.stop()])),
  };
}
