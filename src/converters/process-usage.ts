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

/**
 * Looks at what a process uses from now on.
 * @param onExcess called once it is more than the limits.
 * @returns a function that ends it.
 */
export function watchUsage(
  pid: number | undefined,
  limits: Usage,
  onExcess: (reason: string) => void,
): () => void {
  if (pid === undefined) return () => {};
  let isOver = false;
  const before = usageOf(pid);
  const look = async (): Promise<void> => {
    const [first, now] = [await before, await usageOf(pid)];
    if (isOver || !first || !now) return;
    if (now.seconds - first.seconds > limits.seconds)
      onExcess(`it took more than ${limits.seconds} seconds of work`);
    else if (now.memory > limits.memory) onExcess(`it took more than ${limits.memory} bytes of memory`);
  };
  const timer = setInterval(() => void look(), interval);
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}
