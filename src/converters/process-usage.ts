import { readFile } from 'node:fs/promises';

/** What a process uses, or may use. */
export interface Usage {
  readonly seconds: number; // of processor time
  readonly memory: number; // bytes
}

const interval = 250; // milliseconds

/** Of a second: what Linux counts the time of processes in, on every machine. */
const tick = 1 / 100;

/** Linux alone says it; undefined elsewhere, and for a process that has ended. */
async function usageOf(pid: number): Promise<Usage | undefined> {
  try {
    const [times, status] = await Promise.all(
      ['stat', 'status'].map((file) => readFile(`/proc/${pid}/${file}`, 'latin1')),
    );
    const fields = (times ?? '').slice((times ?? '').lastIndexOf(')') + 2).split(' ');
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(status ?? '')?.[1];
    return { seconds: (Number(fields[11]) + Number(fields[12])) * tick, memory: Number(resident) * 1_024 };
  } catch {
    return undefined;
  }
}

/** Seconds of processor time that this process has taken since its start. */
export const work = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
};

/**
 * Looks at what a process uses from now on.
 * @param worked its seconds of work until now.
 * @param onExcess called once it is more than the limits.
 * @returns a function that ends it.
 */
export function watchUsage(
  { pid, worked }: { readonly pid: number | undefined; readonly worked: number },
  limits: Usage,
  onExcess: (reason: string) => void,
): () => void {
  if (pid === undefined) return () => {};
  let isOver = false;
  const look = async (): Promise<void> => {
    const now = await usageOf(pid);
    if (isOver || !now) return;
    if (now.seconds - worked > limits.seconds)
      onExcess(`it took more than ${limits.seconds} seconds of work`);
    else if (now.memory > limits.memory) onExcess(`it took more than ${limits.memory} bytes of memory`);
  };
  const timer = setInterval(() => void look(), interval);
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}
