import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isRunning } from '../process-state.ts';

/**
 * The number of milliseconds that an orphaned server has to stop gracefully before it is terminated without a
 * checkpoint.
 */
const stopTimeout = 20_000;

const isLinux = process.platform === 'linux';

/**
 * Whether a process belongs to a cluster. On Linux, its working directory is compared, because the folder may have been
 * renamed; on other systems, its command line is compared.
 */
function isOn(cluster: string, pid: number): boolean {
  try {
    if (isLinux) return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster);
  } catch {
    return false; // the process has ended
  }
}

const pidFile = (cluster: string): string => join(cluster, 'postmaster.pid');

/**
 * Returns the lines of `postmaster.pid`, a file that a running PostgreSQL server writes into its cluster. The first
 * line is the process id.
 */
export function readPidFile(cluster: string): string[] {
  try {
    return readFileSync(pidFile(cluster), 'utf8').split('\n');
  } catch {
    return [];
  }
}

function isConnection(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres:');
  } catch {
    return false; // the process has ended
  }
}

/**
 * Returns the backend processes that have not yet noticed that their server was killed, because they are running a
 * statement.
 */
const orphansOf = (cluster: string): number[] =>
  (isLinux ? readdirSync('/proc') : [])
    .map(Number)
    .filter((pid) => pid > 1 && isOn(cluster, pid) && isConnection(pid));

/** Sends a signal to a process. Does nothing if the process has already ended. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (isRunning(pid)) throw error;
  }
}

async function endPostgresql(pid: number): Promise<void> {
  const end = performance.now() + stopTimeout;
  send(pid, 'SIGINT');
  while (isRunning(pid) && performance.now() < end) await wait(10);
  if (isRunning(pid)) send(pid, 'SIGQUIT');
  while (isRunning(pid)) await wait(10);
}

/**
 * Terminates a PostgreSQL server whose host process was killed, and its orphaned backends. A new server would not start
 * while they are running. Operating systems reuse process ids, so only processes that belong to the cluster are
 * terminated.
 */
export async function endLeftover(cluster: string): Promise<void> {
  const pid = Number(readPidFile(cluster)[0]);
  if (pid > 1 && isRunning(pid) && isOn(cluster, pid)) await endPostgresql(pid);
  else rmSync(pidFile(cluster), { force: true });
  for (const orphan of orphansOf(cluster)) {
    send(orphan, 'SIGKILL');
    while (isRunning(orphan)) await wait(10);
  }
}
