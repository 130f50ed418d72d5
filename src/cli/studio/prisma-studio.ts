import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Unavailable } from '../../errors.ts';
import { loopback } from './proxy.ts';
import type { Source } from './source.ts';

const projectFolder = fileURLToPath(new URL('../../../', import.meta.url)); // prisma.config.ts is there
const prisma = join(dirname(createRequire(import.meta.url).resolve('prisma/package.json')), 'build/index.js');

/** Prisma's command line, at work; it asks nothing of the network but the database. */
function spawnStudio({ url }: Source, port: number): ChildProcess {
  const shown = new URL(url);
  shown.password = ''; // everybody on this computer sees the arguments of a process
  const password = url.password === '' ? {} : { PGPASSWORD: decodeURIComponent(url.password) };
  const args = [prisma, 'studio', '--url', shown.href, '--port', String(port), '--browser', 'none'];
  return spawn(process.execPath, args, {
    cwd: projectFolder,
    // biome-ignore lint/style/noProcessEnv: nothing is read from it, it is handed on
    env: { ...process.env, ...password, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' },
    detached: true, // Ctrl+C is ours to pass on
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

/** Studio as a process of its own. */
export interface Studio {
  /** Resolves once it answers; rejects with what it said when it ends before. */
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Starts Studio on a database, on a port of this computer. */
export function startStudio(source: Source, port: number): Studio {
  const child = spawnStudio(source, port);
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-4000);
  });
  child.on('error', (error) => {
    said = error.message;
  });
  let isRunning = true;
  const ended = new Promise<void>((resolved) => {
    child.on('close', () => {
      isRunning = false;
      resolved();
    });
  });
  const answers = () =>
    fetch(`http://${loopback}:${port}/`).then(
      ({ ok }) => ok,
      () => false,
    );
  const ready = (async () => {
    while (!(await answers())) {
      if (!isRunning) throw new Unavailable(`Prisma Studio did not start:\n${said}`);
      await wait(100);
    }
  })();
  process.once('exit', () => child.kill('SIGKILL'));
  const stop = async () => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), 2000);
    await ended;
    clearTimeout(timer);
  };
  return { ready, ended, stop };
}
