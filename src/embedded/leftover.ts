import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isRunning } from '../process-state.ts';

/** Milliseconds that a server left over has to end in order, before it is ended without a checkpoint. */
const patience = 20_000;

const isLinux = process.platform === 'linux';

/** Its folder on Linux, since a folder may have another path by now; its command line elsewhere. */
function isOn(cluster: string, pid: number): boolean {
  try {
    if (isLinux) return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster);
  } catch {
    return false; // it has ended
  }
}

const pidFile = (cluster: string): string => join(cluster, 'postmaster.pid');

/** The lines of the file by which PostgreSQL says that it runs on a cluster: the first is its process. */
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

/** Processes of connections that run a statement and so have not noticed that their PostgreSQL was killed. */
const orphansOf = (cluster: string): number[] =>
  (isLinux ? readdirSync('/proc') : [])
    .map(Number)
    .filter((pid) => pid > 1 && isOn(cluster, pid) && isConnection(pid));

/** Sends a signal to a process that may have ended by now. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (isRunning(pid)) throw error;
  }
}

async function endPostgresql(pid: number): Promise<void> {
  const end = performance.now() + patience;
  send(pid, 'SIGINT');
  while (isRunning(pid) && performance.now() < end) await wait(10);
  if (isRunning(pid)) send(pid, 'SIGQUIT');
  while (isRunning(pid)) await wait(10);
}

/**
 * Ends a PostgreSQL whose host has been killed. Numbers of processes are used again: a process that does not
 * run on the cluster is left alone. PostgreSQL does not start while an orphan is connected.
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
