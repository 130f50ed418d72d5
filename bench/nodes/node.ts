import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { atEnd } from '../closing.ts';
import { nodeOptions } from '../ours.ts';

const program = fileURLToPath(new URL('../../dist/serve.js', import.meta.url));

/** How long a node can take to start on a busy machine, in milliseconds. */
const startTimeout = 180_000;

/** A server that can be killed and restarted on the same port. */
export interface Node {
  readonly url: string;
  start(): Promise<void>;
  /** Sends a signal that does not end the server. */
  signal(name: NodeJS.Signals): void;
  /** Sends a signal, and resolves when the server has exited. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Replaces the workers one after the other, and resolves when all have been replaced. */
  roll(): Promise<void>;
}

interface NodeOptions {
  /** Further options of Node. */
  readonly options?: readonly string[];
  /** Called with each line that the server prints, except for those about requests. */
  readonly onLine?: (line: string) => void;
}

/** @param settings the server's environment variables */
export function createNode(
  port: number,
  settings: Readonly<Record<string, string>>,
  { options = [], onLine = () => {} }: NodeOptions = {},
): Node {
  let child: ChildProcess | undefined;
  let printed = '';
  let replaced = 0;
  const env = { PATH: process.env.PATH, PORT: String(port), ...settings };
  const end: Node['end'] = async (signal) => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  atEnd(() => end('SIGTERM'));
  return {
    url: `http://127.0.0.1:${port}`,
    end,
    signal: (name) => void child?.kill(name),
    start: async () => {
      const stdio = ['ignore', 'pipe', 'inherit'] as const;
      const started = spawn(process.execPath, [...nodeOptions(), ...options, program], {
        env,
        stdio: [...stdio],
      });
      child = started;
      createInterface({ input: started.stdout }).on('line', (line) => {
        if (line.includes('A worker was replaced')) replaced += 1;
        if (line.includes('request completed')) return;
        onLine(line);
        printed = `${printed}${line}\n`.slice(-4_000);
      });
      for (const began = performance.now(); ; await wait(50)) {
        const ready = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
        if (ready?.ok) return;
        if (started.exitCode !== null || performance.now() - began > startTimeout)
          throw new Error(`a node did not start: ${printed}`);
      }
    },
    roll: async () => {
      const before = replaced;
      child?.kill('SIGUSR2');
      const workers = Number(settings.WORKERS);
      for (const began = performance.now(); replaced < before + workers; await wait(50))
        if (performance.now() - began > startTimeout * workers)
          throw new Error(`the workers were not replaced: ${printed}`);
    },
  };
}
