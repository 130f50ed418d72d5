import { readFile } from 'node:fs/promises';

/** The resources that a process has used, or the limits for them. */
export interface Usage {
  readonly seconds: number; // of CPU time
  readonly memory: number; // in bytes
}

const interval = 250; // in milliseconds

/** The unit of the CPU times in /proc, in seconds (USER_HZ). It is the same on all Linux machines. */
const tick = 1 / 100;

/**
 * Reads the resource usage of a process from /proc. Returns undefined on systems other than Linux, and if the process
 * has ended.
 */
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

/** Returns the CPU time that this process has used since it started, in seconds. */
export const work = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
};

/**
 * Starts monitoring the resource usage of a process.
 * @param worked the CPU time that the process has already used, in seconds.
 * @param onExcess called if the process exceeds a limit.
 * @returns a function that stops monitoring.
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
      onExcess(`the conversion took more than ${limits.seconds} seconds of CPU time`);
    else if (now.memory > limits.memory)
      onExcess(`the conversion used more than ${limits.memory} bytes of memory`);
  };
  const timer = setInterval(() => void look(), interval);
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}
