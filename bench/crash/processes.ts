import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * The processes that are killed together. `all` means the server, the database host, PostgreSQL's main process and its
 * backends.
 */
export type Victims = 'server' | 'server and host' | 'all but connections' | 'all';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

function list(): Process[] {
  const lines = execFileSync('ps', ['-eww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, parent, command = ''] = /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

const withDescendants = (tops: readonly number[], processes: readonly Process[]): number[] => {
  const found = [...tops];
  for (const pid of found)
    found.push(
      ...processes.filter((one) => one.parent === pid && !found.includes(one.pid)).map((one) => one.pid),
    );
  return found;
};

/** Lists PostgreSQL's main process for a cluster and all its descendants. */
export const clusterProcesses = (cluster: string): number[] =>
  withDescendants([Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])], list());

/** Lists the processes of an embedded database that are killed together with the server. */
export function embeddedProcesses(dataDir: string, victims: Victims): number[] {
  if (victims === 'server') return [];
  const processes = list();
  const named = (text: string | RegExp) =>
    processes.filter(({ command }) => command.includes(dataDir) && command.match(text)).map(({ pid }) => pid);
  const hosts = named(/\/host\.[jt]s /);
  if (victims === 'server and host') return hosts;
  const all = [...hosts, ...named('/embedded/')];
  return victims === 'all' ? withDescendants(all, processes) : all;
}

const exitTimeout = 20_000;

/**
 * Waits until processes are no longer listed. This can take a while, because their parent must first notice that
 * they have exited.
 */
export async function untilGone(pids: readonly number[]): Promise<void> {
  const end = performance.now() + exitTimeout;
  while (performance.now() < end && list().some(({ pid }) => pids.includes(pid))) await wait(20);
}

/** Kills processes. Processes that no longer exist are ignored. */
export function killAtOnce(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
