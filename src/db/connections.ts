import type { Config } from '../config.ts';

type Connections = Pick<Config, 'DATABASE_CONNECTIONS' | 'WORKERS'>;

/** A transaction beside reads needs two. */
const least = 2;

/** The first process beside workers migrates and runs jobs: a sweep may hold one connection for minutes. */
const ofFirst = 4;

export const connectionsOfFirst = ({ DATABASE_CONNECTIONS: all, WORKERS: workers }: Connections): number =>
  workers === 1 ? all : Math.max(least, Math.min(ofFirst, all - least * workers));

export const connectionsOfWorker = (config: Connections): number =>
  Math.max(least, Math.floor((config.DATABASE_CONNECTIONS - connectionsOfFirst(config)) / config.WORKERS));

/** Beside its pool a process has two for quick statements, and one for notifications. */
const beside = 3;

/** For psql, and for programs that are ended and started again meanwhile. */
const spare = 20;

/** What a database for this server alone must admit: old workers beside new ones, and a command. */
export function connectionsOfAll(config: Connections): number {
  const { DATABASE_CONNECTIONS: all, WORKERS: workers } = config;
  const first = connectionsOfFirst(config) + beside;
  const serving = workers === 1 ? 0 : 2 * workers * (connectionsOfWorker(config) + beside);
  return first + serving + all + beside + spare;
}
