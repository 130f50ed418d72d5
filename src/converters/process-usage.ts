import { readFile } from 'node:fs/promises';

/** The resources that a process uses, or a limit for them. */
export interface Usage {
  readonly seconds: number; // of processor time
  readonly memory: number; // bytes
}

const interval = 250; // milliseconds

/** The unit, in seconds, of the processor times in /proc (USER_HZ). It is the same on all Linux machines. */
const tick = 1 / 100;

/**
 * The resources that a process uses, from /proc. Undefined on systems other than Linux, and if the process has ended.
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

/** The number of seconds of processor time that this process has used since its start. */
export const work = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
};

/**
 * Monitors the resources that a process uses from now on.
 * @param worked the seconds of processor time that it has used before.
 * @param onExcess called if the process exceeds a limit.
 * @returns a function that ends the monitoring.
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
      onExcess(`the conversion took more than ${limits.seconds} seconds of processor time`);
    else if (now.memory > limits.memory)
      onExcess(`the conversion took more than ${limits.memory} bytes of memory`);
  };
  const timer = setInterval(() => void look(), interval);
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}
