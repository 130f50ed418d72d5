import { totalmem } from 'node:os';

/** Admitted in any case: several servers and commands may join, with settings of their own. */
const leastConnections = 300;

/** Megabytes; what PostgreSQL comes with, and a limit, since the start touches 2.4 % of them. */
const [leastBuffers, mostBuffers] = [128, 4096];

/** Megabytes that this process and those that it starts may use, in a container too. */
function memory(): number {
  const limit = process.constrainedMemory();
  return Math.min(totalmem(), limit || Number.POSITIVE_INFINITY) / 2 ** 20;
}

/** A quarter of the memory: pages that only the cache of the system holds cost three times as much. */
const sharedBuffers = (): number => Math.floor(Math.min(mostBuffers, Math.max(leastBuffers, memory() / 4)));

/**
 * The settings of the embedded PostgreSQL that differ from those it comes with.
 * @param major the version of its programs.
 * @param connections more than the usual ones are admitted.
 */
export const serverSettings = (major: number, connections = leastConnections): Record<string, string> => ({
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  max_connections: String(Math.max(leastConnections, connections)),
  max_logical_replication_workers: '0',
  // For many clients at once, several processes for one statement are slower than one.
  max_parallel_workers_per_gather: '0',
  max_wal_size: '512MB',
  shared_buffers: `${sharedBuffers()}MB`,
  // Workers would be three processes more, which pay on large machines only.
  ...(major >= 18 && { io_method: 'sync' }),
});
