import { readdirSync, readFileSync } from 'node:fs';
import { authorization } from '../ours.ts';
import { familyOf, type Running } from '../processes.ts';

/** The resources that servers have used so far, in milliseconds. */
export interface Usage {
  /** The CPU time of all processes. */
  readonly cpu: number;
  /** The time spent on garbage collection, as reported by the processes. */
  readonly garbage: number;
}

const sum = (all: readonly number[]): number => all.reduce((whole, each) => whole + each, 0);

/** Returns the CPU time of a process's threads in nanoseconds. `/proc/PID/stat` is too coarse for short periods. */
const cpuTimeOfThreads = (pid: number): number =>
  sum(
    readdirSync(`/proc/${pid}/task`).map((thread) => {
      const text = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8');
      return Number(text.split(' ')[0]) / 1e6;
    }),
  );

async function garbageTime({ url }: Running): Promise<number> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization } });
  if (!response.ok) throw new Error(`${url}/metrics: ${response.status}`);
  const found = [...(await response.text()).matchAll(/^nodejs_gc_duration_seconds_sum\S* (\S+)$/gm)];
  return sum(found.map(([, seconds]) => Number(seconds) * 1000));
}

/**
 * Returns a function that reads the resource usage of servers. The server processes are looked up only once.
 */
export async function usageOf(servers: readonly Running[]): Promise<() => Promise<Usage>> {
  const processes = (await Promise.all(servers.map(({ pid }) => familyOf(pid)))).flat();
  return async () => {
    // Garbage collection times are read first, because reading them also takes CPU time.
    const garbage = await Promise.all(servers.map(garbageTime));
    const cpu = processes.map(cpuTimeOfThreads);
    return { garbage: sum(garbage), cpu: sum(cpu) };
  };
}
