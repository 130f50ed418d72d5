import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Fields of /proc/PID/stat from the third one, the state; none where there is no such file. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** The start of a process in ticks since boot: numbers of processes are used again. Empty without /proc. */
export const startOf = (pid: number): string => statOf(pid)[19] ?? '';

/**
 * A process that has ended keeps its number until its parent has read how. In containers whose first process
 * is no init, an orphan keeps it for seconds or for ever.
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return statOf(pid)[0] !== 'Z';
}

export const isSameProcess = (pid: number, start: string): boolean =>
  Number.isInteger(pid) && pid > 0 && isRunning(pid) && startOf(pid) === start;

function wordOf(read: () => string): string {
  try {
    return read();
  } catch {
    return ''; // there is no /proc
  }
}

let known: string | undefined;

/** Tells apart what numbers processes anew: containers, machines and their starts. */
export function namespace(): string {
  known ??= createHash('sha256')
    .update(hostname())
    .update(wordOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')))
    .update(wordOf(() => readlinkSync('/proc/self/ns/pid')))
    .digest('hex')
    .slice(0, 16);
  return known;
}
