import type { Config } from '../config.ts';

type Connections = Pick<Config, 'DATABASE_CONNECTIONS' | 'WORKERS'>;

/** The minimum size of a pool: a transaction and the reads next to it need two connections. */
const minConnections = 2;

/**
 * The maximum size of the first process's pool when there are workers. It only migrates and runs jobs, of which a sweep
 * can hold one connection for minutes.
 */
const maxConnectionsOfFirst = 4;

export const connectionsOfFirst = ({ DATABASE_CONNECTIONS: all, WORKERS: workers }: Connections): number =>
  workers === 1
    ? all
    : Math.max(minConnections, Math.min(maxConnectionsOfFirst, all - minConnections * workers));

export const connectionsOfWorker = (config: Connections): number =>
  Math.max(
    minConnections,
    Math.floor((config.DATABASE_CONNECTIONS - connectionsOfFirst(config)) / config.WORKERS),
  );

/** The connections of a process outside its pool: two for quick statements, and one for notifications. */
const outsidePool = 3;

/** Connections for psql, and for processes that are replaced and whose old connections have not ended yet. */
const spare = 20;

/**
 * The number of connections that a database only for this server must allow: those of all processes, with old workers
 * still running while new ones start, and those of a command.
 */
export function connectionsOfAll(config: Connections): number {
  const { DATABASE_CONNECTIONS: all, WORKERS: workers } = config;
  const first = connectionsOfFirst(config) + outsidePool;
  const serving = workers === 1 ? 0 : 2 * workers * (connectionsOfWorker(config) + outsidePool);
  return first + serving + all + outsidePool + spare;
}
