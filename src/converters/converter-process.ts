import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Order, Outcome } from './program.ts';

const extension = extname(import.meta.url);
const program = fileURLToPath(new URL(`./program${extension}`, import.meta.url));
// Compiled code needs no loader.
const loader = extension === '.ts' ? ['--import', 'tsx'] : [];

/** Native code has memory beside this, which the limit of pixels bounds. */
const heapLimit = '--max-old-space-size=256'; // MiB

const start = (): ChildProcess =>
  spawn(process.execPath, [heapLimit, ...loader, program], {
    env: {}, // none of the server's settings and secrets
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    windowsHide: true,
  });

export interface ProcessLimits {
  /** Milliseconds after which a conversion is given up, and its process killed. */
  readonly patience: number;
  /** Milliseconds that a process without work is kept. */
  readonly idle: number;
}

/** A process that is started when it first has work, and ends when it has had none for a while. */
export function converterProcess({ patience, idle }: ProcessLimits) {
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    child?.kill('SIGKILL');
    child = undefined;
  };
  return {
    end,
    run: async (order: Order): Promise<Outcome> => {
      clearTimeout(timer);
      if (child?.exitCode !== null || child.signalCode !== null) child = start();
      const running = child;
      running.send(order);
      const limit = new AbortController();
      const { signal } = limit;
      const late = setTimeout(() => running.kill('SIGKILL'), patience);
      try {
        return await Promise.race([
          once(running, 'message', { signal }).then(([said]) => said as Outcome),
          once(running, 'exit', { signal }).then(
            (): Outcome => ({ fault: 'it took too much time or memory' }),
          ),
        ]);
      } finally {
        clearTimeout(late);
        limit.abort();
        timer = setTimeout(end, idle).unref();
      }
    },
  };
}
