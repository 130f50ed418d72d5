import { readFileSync } from 'node:fs';

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
