import { authorization } from './ours.ts';
import { cpuTime, memory, type Running } from './processes.ts';

/** The interval, in milliseconds, at which `/health/live` is requested and the memory is read. */
const interval = 25;

/** The measurements of a server while it is under load. */
export interface Watched {
  /** The sorted response times of `/health/live`, in milliseconds. */
  readonly live: readonly number[];
  /** The CPU time in milliseconds. */
  readonly cpu: number;
  /** The peak memory in MB. */
  readonly memory: number;
  /** The number of requests that waited for admission, and their total waiting time in seconds. */
  readonly waits: { readonly count: number; readonly sum: number };
}

/** Reads from `/metrics` how many requests have waited for admission, and how long. */
async function readWaits(url: string): Promise<Watched['waits']> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization } });
  const text = await response.text();
  const read = (name: string) =>
    Number(new RegExp(`^http_request_wait_seconds_${name} (.+)$`, 'm').exec(text)?.[1]);
  return { count: read('count'), sum: read('sum') };
}

/** Measures a server until the returned function is called. Without `/proc`, CPU time and memory are not measured. */
export async function watch({ url, pid }: Pick<Running, 'url' | 'pid'>): Promise<() => Promise<Watched>> {
  const before = await readWaits(url);
  const cpu = (await cpuTime(pid)) ?? Number.NaN;
  const live: number[] = [];
  let [isOver, most] = [false, Number.NaN];
  const look = async () => {
    while (!isOver) {
      const start = performance.now();
      const response = await fetch(`${url}/health/live`);
      await response.text();
      if (!response.ok) throw new Error(`/health/live: ${response.status}`);
      live.push(performance.now() - start);
      const now = await memory(pid);
      if (now !== undefined) most = Math.max(now, most || 0);
      await new Promise((resolve) => setTimeout(resolve, interval));
    }
  };
  const looked = look();
  return async () => {
    isOver = true;
    await looked;
    const { count, sum } = await readWaits(url);
    return {
      live: live.sort((a, b) => a - b),
      cpu: ((await cpuTime(pid)) ?? Number.NaN) - cpu,
      memory: most,
      waits: { count: count - before.count, sum: sum - before.sum },
    };
  };
}
