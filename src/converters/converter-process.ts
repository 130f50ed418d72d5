import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { placesWithConverters } from './contributed.ts';
import { type Usage, watchUsage } from './process-usage.ts';
import type { Order, Outcome, Report } from './program.ts';

const extension = extname(import.meta.url);
const program = fileURLToPath(new URL(`./program${extension}`, import.meta.url));
// TypeScript sources need a loader; compiled code does not.
const loader = extension === '.ts' ? ['--import', 'tsx'] : [];

/**
 * The limit of the JavaScript heap, in MiB. Native code allocates memory outside the heap; that memory is limited by
 * the maximum number of pixels.
 */
const heapLimit = '--max-old-space-size=256';

/** The scheduling priority. On a busy machine, requests take precedence over conversions. */
const niceness = 5;

function start(): ChildProcess {
  const child = spawn(process.execPath, [heapLimit, ...loader, program, ...placesWithConverters()], {
    env: {}, // without the settings and secrets of the server
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
    // Starts a process group, which will also contain the programs that the process runs.
    detached: process.platform !== 'win32',
  });
  if (child.pid !== undefined) setPriority(child.pid, niceness);
  return child;
}

/** Kills a process and the programs that it runs. */
function kill(child: ChildProcess): void {
  child.kill('SIGKILL');
  try {
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL');
  } catch {
    // All processes of the group have already ended.
  }
}

/** The resources that a conversion can use. */
interface ConversionLimits extends Usage {
  /** The number of seconds after which the conversion is aborted. */
  readonly timeout: number;
}

/**
 * Creates a converter process on demand. The process is started for its first conversion and stopped after it has been
 * idle for some time. It is killed if a conversion exceeds its limits.
 * @param idle the number of milliseconds after which an idle process is stopped.
 */
export function converterProcess(idle: number) {
  let child: ChildProcess | undefined;
  let worked = 0; // the CPU time used by the process so far, in seconds
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
            kill(running); // also kills programs that the process has started
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
