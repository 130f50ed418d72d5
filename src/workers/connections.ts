import type { Config } from '../config.ts';

type Connections = Pick<Config, 'DATABASE_CONNECTIONS' | 'WORKERS'>;

/** The pool of the first process beside workers, where it migrates and runs jobs. */
const ofFirst = 2;

/** The connections of the first process: all of them where it serves alone. */
export const connectionsOfFirst = ({ DATABASE_CONNECTIONS: all, WORKERS: workers }: Connections): number =>
  workers === 1 ? all : ofFirst;

/** The connections of one worker, out of those of all; a transaction beside reads needs two. */
export const connectionsOfWorker = ({ DATABASE_CONNECTIONS: all, WORKERS: workers }: Connections): number =>
  Math.max(2, Math.floor((all - ofFirst) / workers));
