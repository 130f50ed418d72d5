import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Usage, watchUsage } from './process-usage.ts';
import type { Order, Outcome, Report } from './program.ts';

const extension = extname(import.meta.url);
const program = fileURLToPath(new URL(`./program${extension}`, import.meta.url));
// Compiled code needs no loader.
const loader = extension === '.ts' ? ['--import', 'tsx'] : [];

/** Native code has memory beside this, which the limit of pixels bounds. */
const heapLimit = '--max-old-space-size=256'; // MiB

/** Requests come before conversions where the cores are busy. */
const niceness = 5;

function start(): ChildProcess {
  const child = spawn(process.execPath, [heapLimit, ...loader, program], {
    env: {}, // none of the server's settings and secrets
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
    detached: process.platform !== 'win32', // a group of its own, to which the programs that it runs belong
  });
  if (child.pid !== undefined) setPriority(child.pid, niceness);
  return child;
}

/** Ends a process and the programs that it runs. */
function kill(child: ChildProcess): void {
  child.kill('SIGKILL');
  try {
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All of the group have ended.
  }
}

/** What a conversion may use. */
interface ConversionLimits extends Usage {
  /** Seconds after which it is given up. */
  readonly patience: number;
}

/**
 * A process that is started when it first has work, and ends when it has had none for a while. A conversion
 * that uses more than it may is given up: its process is killed.
 * @param idle milliseconds that it is kept without work.
 */
export function converterProcess(idle: number) {
  let child: ChildProcess | undefined;
  let worked = 0; // seconds, of the child
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(timer);
    if (child) kill(child);
    child = undefined;
  };
  return {
    end,
    run: async (order: Order, { patience, ...limits }: ConversionLimits): Promise<Outcome> => {
      clearTimeout(timer);
      if (child?.exitCode !== null || child.signalCode !== null) [child, worked] = [start(), 0];
      const running = child;
      let fault = 'its converter broke down';
      const giveUp = (reason: string): void => {
        fault = reason;
        kill(running);
      };
      const unwatch = watchUsage({ pid: running.pid, worked }, limits, giveUp);
      const late = setTimeout(() => giveUp(`it took more than ${patience} seconds`), patience * 1_000);
      const over = new AbortController();
      const { signal } = over;
      running.send(order);
      try {
        return await Promise.race([
          once(running, 'message', { signal }).then(([said]) => {
            const { outcome, work } = said as Report;
            worked = work;
            return outcome;
          }),
          once(running, 'exit', { signal }).then((): Outcome => {
            kill(running); // programs that it ran
            return { fault };
          }),
        ]);
      } finally {
        clearTimeout(late);
        unwatch();
        over.abort();
        timer = setTimeout(end, idle).unref();
      }
    },
  };
}
