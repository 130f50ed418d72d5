import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Unavailable } from '../../errors.ts';
import type { StudioDatabase } from './database.ts';
import { loopback } from './proxy.ts';

const projectFolder = fileURLToPath(new URL('../../../', import.meta.url)); // This folder contains prisma.config.ts.

/**
 * Returns the path of the Prisma CLI. It is an optional peer dependency, because servers do not need it.
 * @throws Unavailable with the installation command if it is not installed
 */
function prismaProgram(): string {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('prisma/package.json')), 'build/index.js');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
    const {
      peerDependencies: { prisma: version },
    } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
    throw new Unavailable(
      `Prisma Studio is not installed. Install it next to Quire: npm install prisma@${version}`,
    );
  }
}

/**
 * Makes transactions read-only by default. This protects the data from accidental changes in Studio, but not from SQL
 * statements that change the default.
 */
function readOnly(url: URL): void {
  const options = url.searchParams.get('options') ?? '';
  url.searchParams.set('options', `${options} -c default_transaction_read_only=on`.trimStart());
}

/** Starts the Prisma CLI. Environment variables disable its requests to other servers. */
function spawnStudio({ url }: StudioDatabase, port: number, isWritable: boolean): ChildProcess {
  const publicUrl = new URL(url);
  if (!isWritable) readOnly(publicUrl);
  publicUrl.password = ''; // All users of this computer can see the arguments of a process.
  const password = url.password === '' ? {} : { PGPASSWORD: decodeURIComponent(url.password) };
  const args = [
    prismaProgram(),
    'studio',
    '--url',
    publicUrl.href,
    '--port',
    String(port),
    '--browser',
    'none',
  ];
  return spawn(process.execPath, args, {
    cwd: projectFolder,
    // biome-ignore lint/style/noProcessEnv: the environment is passed on, not read
    env: { ...process.env, ...password, CHECKPOINT_DISABLE: '1', PRISMA_HIDE_UPDATE_MESSAGE: '1' },
    detached: true, // A detached process does not receive Ctrl+C; `stop` terminates it.
    stdio: ['ignore', 'ignore', 'pipe'],
  });
}

interface Studio {
  /** Resolves when Studio responds. Rejects with Studio's error output if Studio exits first. */
  readonly ready: Promise<void>;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Starts Prisma Studio. @throws Unavailable if Prisma is not installed. */
export function startStudio(source: StudioDatabase, port: number, isWritable: boolean): Studio {
  const child = spawnStudio(source, port, isWritable);
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
