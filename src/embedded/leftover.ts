import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Milliseconds that a server left over has to end in order, before it is ended without a checkpoint. */
const patience = 20_000;

export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Its folder on Linux, since a folder may have another path by now; its command line elsewhere. */
function isOn(cluster: string, pid: number): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster);
  } catch {
    return false; // it has ended
  }
}

export const pidFile = (cluster: string): string => join(cluster, 'postmaster.pid');

/** The lines of the file by which PostgreSQL says that it runs on a cluster: the first is its process. */
export function readPidFile(cluster: string): string[] {
  try {
    return readFileSync(pidFile(cluster), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/**
 * Ends a PostgreSQL whose host has been killed. Numbers of processes are used again: a process that
 * does not run on the cluster is left alone.
 */
export async function endLeftover(cluster: string): Promise<void> {
  const pid = Number(readPidFile(cluster)[0]);
  if (!Number.isInteger(pid) || pid <= 1) return;
  if (!isRunning(pid) || !isOn(cluster, pid)) {
    rmSync(pidFile(cluster), { force: true });
    return;
  }
  const end = performance.now() + patience;
  process.kill(pid, 'SIGINT');
  while (isRunning(pid) && performance.now() < end) await wait(10);
  if (isRunning(pid)) process.kill(pid, 'SIGQUIT');
  while (isRunning(pid)) await wait(10);
}
