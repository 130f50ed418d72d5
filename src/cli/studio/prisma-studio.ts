import { type ChildProcess, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Unavailable } from '../../errors.ts';
import type { StudioDatabase } from './database.ts';
import { loopback } from './proxy.ts';

const projectFolder = fileURLToPath(new URL('../../../', import.meta.url)); // of prisma.config.ts
const prisma = join(dirname(createRequire(import.meta.url).resolve('prisma/package.json')), 'build/index.js');

/** Starts Prisma's command line; the environment keeps it from any network request but to the database. */
function spawnStudio({ url }: StudioDatabase, port: number): ChildProcess {
  const publicUrl = new URL(url);
  publicUrl.password = ''; // every user of this computer can read the arguments of a process
  const password = url.password === '' ? {} : { PGPASSWORD: decodeURIComponent(url.password) };
  const args = [prisma, 'studio', '--url', publicUrl.href, '--port', String(port), '--browser', 'none'];
  return spawn(process.execPath, args, {
    cwd: projectFolder,
    // biome-ignore lint/style/noProcessEnv: the environment is passed on, not read
    env: { ...process.env, ...password, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' },
    detached: true, // Ctrl+C in the terminal does not reach it; `stop` ends it
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

interface Studio {
  /** Resolves once it answers; rejects with its error output if it ends before. */
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

export function startStudio(source: StudioDatabase, port: number): Studio {
  const child = spawnStudio(source, port);
  let errorOutput = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errorOutput = `${errorOutput}${chunk}`.slice(-4000);
  });
  child.on('error', (error) => {
    errorOutput = error.message;
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
      if (!isRunning) throw new Unavailable(`Prisma Studio did not start:\n${errorOutput}`);
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
