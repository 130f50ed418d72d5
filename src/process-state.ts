import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** The fields of /proc/PID/stat from the third one, the process state. Empty if the file does not exist. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/**
 * The start time of a process in ticks since boot, which distinguishes processes with the same id. Empty without
 * /proc.
 */
export const startOf = (pid: number): string => statOf(pid)[19] ?? '';

/**
 * Whether a process is running. A zombie, which has ended but has not been reaped by its parent, is not. In containers whose
 * first process is not an init, orphans can remain zombies forever.
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
 * Whether the process with an id is running and has a start time, so that it is not another process with the same id.
 */
export const isSameProcess = (pid: number, start: string): boolean =>
  Number.isInteger(pid) && pid > 0 && isRunning(pid) && startOf(pid) === start;

function wordOf(read: () => string): string {
  try {
    return read();
  } catch {
    return ''; // there is no /proc
  }
}

let cached: string | undefined;

/** An identifier of the namespace of process ids: it differs between containers, machines and boots. */
export function namespace(): string {
  cached ??= createHash('sha256')
    .update(hostname())
    .update(wordOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')))
    .update(wordOf(() => readlinkSync('/proc/self/ns/pid')))
    .digest('hex')
    .slice(0, 16);
  return cached;
}
