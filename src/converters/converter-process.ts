import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Usage, watchUsage } from './process-usage.ts';
import type { Order, Outcome, Report } from './program.ts';

const extension = extname(import.meta.url);
const program = fileURLToPath(new URL(`./program${extension}`, import.meta.url));
// TypeScript sources need a loader, compiled code does not.
const loader = extension === '.ts' ? ['--import', 'tsx'] : [];

/** The heap limit of JavaScript. Native code allocates memory outside of the heap, which the limit of pixels bounds. */
const heapLimit = '--max-old-space-size=256'; // MiB

/** The scheduling priority: on a busy machine, requests are more urgent than conversions. */
const niceness = 5;

function start(): ChildProcess {
  const child = spawn(process.execPath, [heapLimit, ...loader, program], {
    env: {}, // none of the server's settings and secrets
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
    detached: process.platform !== 'win32', // makes it the leader of a process group, which includes the programs that it runs
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
    // all processes of the group have ended
  }
}

/** The resources that a conversion can use. */
interface ConversionLimits extends Usage {
  /** The number of seconds after which the conversion is aborted. */
  readonly timeout: number;
}

/**
 * A process that is started for its first conversion and ended when it has been idle for some time. If a conversion exceeds
 * its limits, the process is killed.
 * @param idle the number of milliseconds after which the idle process is ended.
 */
export function converterProcess(idle: number) {
  let child: ChildProcess | undefined;
  let worked = 0; // seconds of processor time that the child has used
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(timer);
    if (child) kill(child);
    child = undefined;
  };
  return {
    end,
    run: async (order: Order, { timeout, ...limits }: ConversionLimits): Promise<Outcome> => {
      clearTimeout(timer);
      if (child?.exitCode !== null || child.signalCode !== null) [child, worked] = [start(), 0];
      const running = child;
      let fault = 'the converter crashed';
      const abort = (reason: string): void => {
        fault = reason;
        kill(running);
      };
      const unwatch = watchUsage({ pid: running.pid, worked }, limits, abort);
      const late = setTimeout(
        () => abort(`the conversion took more than ${timeout} seconds`),
        timeout * 1_000,
      );
      const over = new AbortController();
      const { signal } = over;
      running.send(order);
      try {
        return await Promise.race([
          once(running, 'message', { signal }).then(([message]) => {
            const { outcome, work } = message as Report;
            worked = work;
            return outcome;
          }),
          once(running, 'exit', { signal }).then((): Outcome => {
            kill(running); // also ends programs that it has started
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
