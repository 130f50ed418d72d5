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
