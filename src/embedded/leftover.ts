import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isRunning } from '../process-state.ts';

/**
 * The number of milliseconds that an orphaned server has to stop gracefully, before it is ended without a checkpoint.
 */
const stopTimeout = 20_000;

const isLinux = process.platform === 'linux';

/**
 * Whether a process runs on a cluster. On Linux its working directory is compared, because the folder may have been renamed;
 * on other systems its command line.
 */
function isOn(cluster: string, pid: number): boolean {
  try {
    if (isLinux) return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster);
  } catch {
    return false; // it has ended
  }
}

const pidFile = (cluster: string): string => join(cluster, 'postmaster.pid');

/**
 * The lines of `postmaster.pid`, which a running PostgreSQL writes into its cluster. The first line is its process
 * id.
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
    return false; // it has ended
  }
}

/** Backend processes that have not noticed that their server was killed, because they are running a statement. */
const orphansOf = (cluster: string): number[] =>
  (isLinux ? readdirSync('/proc') : [])
    .map(Number)
    .filter((pid) => pid > 1 && isOn(cluster, pid) && isConnection(pid));

/** Sends a signal to a process. It is not an error if the process has ended in the meantime. */
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
 * Ends a PostgreSQL whose host has been killed, and its orphaned backends, with which a new server would not start.
 * Operating systems reuse process ids, so a process that does not run on the cluster is left alone.
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
