import type { Config } from '../config.ts';

type Connections = Pick<Config, 'DATABASE_CONNECTIONS' | 'WORKERS'>;

/** The minimum size of a pool: a transaction and the reads that run in parallel with it need two connections. */
const minConnections = 2;

/**
 * The maximum pool size of the first process when there are workers. That process only applies migrations and runs
 * jobs, but a single sweep job can occupy one connection for minutes.
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

/**
 * The number of connections that a process has outside its pool: two for quick statements, and one for notifications.
 */
const outsidePool = 3;

/**
 * The number of spare connections, for psql and for stopped processes whose connections have not been closed yet.
 */
const spare = 20;

/**
 * The number of connections that the database must allow if only this server uses it. It includes the connections of
 * all processes, of old workers that still run while new ones start, and of one command-line command.
 */
export function connectionsOfAll(config: Connections): number {
  const { DATABASE_CONNECTIONS: all, WORKERS: workers } = config;
  const first = connectionsOfFirst(config) + outsidePool;
  const serving = workers === 1 ? 0 : 2 * workers * (connectionsOfWorker(config) + outsidePool);
  return first + serving + all + outsidePool + spare;
}
