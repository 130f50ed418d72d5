import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { Unavailable } from '../errors.ts';
import type { Converted, Source } from './converter.ts';
import type { Order, Outcome } from './program.ts';

/** The file cannot be converted: the message says why. */
export class ConversionFailed extends Error {}

/** Conversions of files, in processes of their own. */
export interface Conversions {
  /**
   * @param converter its name.
   * @throws ConversionFailed; Unavailable when too many wait.
   */
  convert(converter: string, source: Source): Promise<Converted>;
  close(): Promise<void>;
}

interface ConversionSettings {
  /** Processes at once. */
  readonly processes?: number;
  /** Milliseconds after which a conversion is given up, and its process killed. */
  readonly patience?: number;
  /** Milliseconds that a process without work is kept. */
  readonly idle?: number;
}

/** Conversions that may wait for a process. */
const mostWaiting = 200;

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

/** A process that is started when it first has work, and ends when it has had none for a while. */
function converterProcess({ patience, idle }: Required<ConversionSettings>) {
  let child: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    child?.kill('SIGKILL');
    child = undefined;
  };
  return {
    end,
    run: async (order: Order): Promise<Converted> => {
      clearTimeout(timer);
      if (child?.exitCode !== null || child.signalCode !== null) child = start();
      const running = child;
      running.send(order);
      const limit = new AbortController();
      const { signal } = limit;
      const late = setTimeout(() => running.kill('SIGKILL'), patience);
      try {
        const outcome = await Promise.race([
          once(running, 'message', { signal }).then(([said]) => said as Outcome),
          once(running, 'exit', { signal }).then(
            (): Outcome => ({ fault: 'it took too much time or memory' }),
          ),
        ]);
        if ('fault' in outcome) throw new ConversionFailed(outcome.fault);
        return outcome.converted;
      } finally {
        clearTimeout(late);
        limit.abort();
        timer = setTimeout(end, idle).unref();
      }
    },
  };
}

/** Two conversions run at once by default, whatever asks for them; the others wait for their turn. */
export function createConversions({
  processes = 2,
  patience = 20_000,
  idle = 30_000,
}: ConversionSettings = {}): Conversions {
  const all = Array.from({ length: processes }, () => converterProcess({ processes, patience, idle }));
  const free = [...all];
  const inTurn = pLimit(processes);
  const underWay = new Map<string, Promise<Converted>>();

  const run = async (order: Order): Promise<Converted> => {
    const one = free.pop();
    if (!one) throw new Error('as many processes are free as may work');
    try {
      return await one.run(order);
    } finally {
      free.push(one);
    }
  };
  return {
    convert: (converter, source) => {
      const key = `${converter} ${source.file}`;
      const same = underWay.get(key);
      if (same) return same;
      if (inTurn.pendingCount >= mostWaiting) throw new Unavailable('too many files wait to be converted');
      const converting = inTurn(() => run({ converter, ...source })).finally(() => underWay.delete(key));
      underWay.set(key, converting);
      return converting;
    },
    close: async () => {
      for (const one of all) one.end();
    },
  };
}
