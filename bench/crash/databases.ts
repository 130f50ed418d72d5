import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from '../closing.ts';
import { execute, startCluster, startPostgres } from '../postgres.ts';
import { clusterProcesses, embeddedProcesses, killAtOnce, untilGone, type Victims } from './processes.ts';
import type { Settings } from './target.ts';

export const databaseNames = ['embedded', 'server'] as const;
export type DatabaseName = (typeof databaseNames)[number];

/** A database that is killed together with the server, and how to restart it. */
export interface CrashedDatabase {
  readonly settings: Settings;
  readonly victims: readonly Victims[];
  /** Returns the processes that are killed together with the server. */
  readonly others: (victims: Victims) => readonly number[];
  /** Waits until PostgreSQL can be restarted, unless the server itself restarts it. */
  readonly untilRestartable: () => Promise<void>;
  /** Restarts the processes that the server does not start itself. */
  readonly restartDatabase: (victims: Victims) => Promise<void>;
  /** Returns processes that should have ended when the server stopped, but are still running. */
  readonly left: () => readonly number[];
}

async function newFolder(on: DatabaseName): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `quire-crash-${on}-`));
  // PostgreSQL never runs as root. The user that it runs as must be able to enter the folder, because DATA_DIR is in
  // it.
  await chmod(folder, 0o711);
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  return join(folder, 'data');
}

async function embedded(): Promise<CrashedDatabase> {
  const settings = { DATA_DIR: await newFolder('embedded') };
  const others = (victims: Victims) => embeddedProcesses(settings.DATA_DIR, victims);
  atEnd(async () => killAtOnce(others('all')));
  return {
    settings,
    others,
    victims: ['server', 'server and host', 'all but connections', 'all'],
    untilRestartable: async () => {},
    restartDatabase: async () => {},
    left: () => others('all'),
  };
}

/** A database on an existing PostgreSQL server, which the benchmark cannot kill. */
async function foreign(): Promise<CrashedDatabase> {
  const DATABASE_URL = await (await startPostgres()).createDatabase();
  return {
    settings: { DATA_DIR: await newFolder('server'), DATABASE_URL },
    victims: ['server'],
    others: () => [],
    untilRestartable: async () => {},
    restartDatabase: async () => {},
    left: () => [],
  };
}

async function own(): Promise<CrashedDatabase> {
  const cluster = await startCluster();
  await execute(cluster.url, 'CREATE DATABASE crash');
  const url = new URL(cluster.url);
  url.pathname = '/crash';
  let killed: readonly number[] = [];
  return {
    settings: { DATA_DIR: await newFolder('server'), DATABASE_URL: url.href },
    victims: ['server', 'all'],
    others: (victims) => {
      if (victims === 'all') killed = clusterProcesses(cluster.folder);
      return victims === 'all' ? killed : [];
    },
    untilRestartable: () => untilGone(killed), // Otherwise pg_ctl would assume that the killed processes are still running.
    restartDatabase: async (victims) => {
      if (victims === 'all') await cluster.start();
    },
    left: () => [],
  };
}

/** Creates an empty database. */
export function newDatabase(on: DatabaseName): Promise<CrashedDatabase> {
  if (on === 'embedded') return embedded();
  process.env.BENCH_DATABASE_URL ??= process.env.TEST_DATABASE_URL ?? '';
  if (process.env.BENCH_DATABASE_URL !== '') return foreign();
  delete process.env.BENCH_DATABASE_URL;
  return own();
}
