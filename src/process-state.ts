import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Returns the fields of /proc/PID/stat, starting with the third one, the process state. Returns an empty list if the
 * file does not exist.
 */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/**
 * Returns the start time of a process in ticks since boot, which distinguishes it from earlier and later processes with
 * the same id. Returns an empty string on systems without /proc.
 */
export const startOf = (pid: number): string => statOf(pid)[19] ?? '';

/**
 * Returns whether a process is running. A zombie, which has ended but has not been reaped by its parent, does not count
 * as running. In containers whose first process is not an init process, orphans can remain zombies forever.
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return statOf(pid)[0] !== 'Z';
}

/**
 * Returns whether the process with the given id is still the one that started at the given time, rather than a later
 * process with the same id.
 */
export const isSameProcess = (pid: number, start: string): boolean =>
  Number.isInteger(pid) && pid > 0 && isRunning(pid) && startOf(pid) === start;

function wordOf(read: () => string): string {
  try {
    return read();
  } catch {
    return ''; // The system has no /proc.
  }
}

let cached: string | undefined;

/**
 * Returns an identifier for the namespace of process ids. It differs between containers, machines and boots.
 */
export function namespace(): string {
  cached ??= createHash('sha256')
    .update(hostname())
    .update(wordOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')))
    .update(wordOf(() => readlinkSync('/proc/self/ns/pid')))
    .digest('hex')
    .slice(0, 16);
  return cached;
}
