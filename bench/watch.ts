import { authorization } from './ours.ts';
import { cpuTime, memory, type Running } from './processes.ts';

/** How often `/health/live` is asked, and the memory looked at, in milliseconds. */
const beat = 25;

/** What a server was like during a load. */
export interface Watched {
  /** Times of the answers of `/health/live` in milliseconds, sorted. */
  readonly live: readonly number[];
  /** CPU time that it took, in milliseconds. */
  readonly cpu: number;
  /** The most memory that it held, in MB. */
  readonly memory: number;
  /** Requests that waited at the door, and for how many seconds in all. */
  readonly waits: { readonly count: number; readonly sum: number };
}

/** From `/metrics`. */
async function readWaits(url: string): Promise<Watched['waits']> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization } });
  const text = await response.text();
  const read = (name: string) =>
    Number(new RegExp(`^http_request_wait_seconds_${name} (.+)$`, 'm').exec(text)?.[1]);
  return { count: read('count'), sum: read('sum') };
}

/** Watches a server until it is told to stop. Without `/proc` there are no figures of CPU and memory. */
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
      await new Promise((resolve) => setTimeout(resolve, beat));
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
