import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyDatabase, isOnServer, stockedDatabase, stockFolder } from '../support/database.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A process of ours, with what it has printed so far. */
export interface Running {
  readonly child: ChildProcess;
  readonly printed: { out: string; err: string };
  /** Resolves once it has ended, with its exit code and the signal that ended it. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const inherited = ['PATH', 'HOME', 'TMPDIR'];

/** What Node is given to run a program: one of `src` as it was compiled before the tests, as `npm start` runs it. */
export function programArguments(file: string): string[] {
  const compiled = /^src\/(.*)\.ts$/.exec(file)?.[1];
  return compiled === undefined
    ? ['--import', 'tsx', join(root, file)]
    : [join(root, 'dist', `${compiled}.js`)];
}

/** Runs a program of ours as a process of its own, with these settings and no others. */
export function run(file: string, settings: Record<string, string>, args: string[] = []): Running {
  const kept = Object.fromEntries(inherited.map((name) => [name, process.env[name]]));
  const child = spawn(process.execPath, [...programArguments(file), ...args], {
    cwd: root,
    env: { ...kept, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    printed.out += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    printed.err += chunk.toString();
  });
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  return { child, printed, ended };
}

/** Resolves once a process has printed what is looked for; rejects when it ends before. */
export async function printing({ child, printed, ended }: Running, wanted: RegExp): Promise<RegExpExecArray> {
  let isEnded = false;
  void ended.then(() => {
    isEnded = true;
  });
  for (;;) {
    const match = wanted.exec(printed.out);
    if (match) return match;
    if (isEnded) throw new Error(`it ended without printing ${wanted}: ${printed.out}${printed.err}`);
    await Promise.race([ended, once(child.stdout ?? child, 'data')]);
  }
}

/** The server as a process, and where it answers. */
export interface RunningServer extends Running {
  readonly url: string;
}

/** Starts the server on a free port and waits until it serves. */
export async function serve(settings: Record<string, string>): Promise<RunningServer> {
  const running = run('src/server.ts', { PORT: '0', ...settings });
  const [, url = ''] = await printing(running, /Quire serves (\S+)/);
  return { ...running, url };
}

/** Ends a process that a test has left running. */
export async function kill({ child, ended }: Running): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

/** The setting that names a database without tables: on a server a new one, else the one in DATA_DIR. */
export async function databaseSettings(): Promise<{
  settings: Record<string, string>;
  drop: () => Promise<void>;
}> {
  if (!isOnServer) return { settings: {}, drop: async () => {} };
  const { url = '', database } = await emptyDatabase();
  return { settings: { DATABASE_URL: url }, drop: () => database.close() };
}

/** The setting that names a database with stock content: on a server a new one, else the one in DATA_DIR, laid there. */
export async function stockedSettings(dataDir: string): ReturnType<typeof databaseSettings> {
  if (!isOnServer) {
    await stockFolder(dataDir);
    return { settings: {}, drop: async () => {} };
  }
  const { url = '', database } = await stockedDatabase();
  return { settings: { DATABASE_URL: url }, drop: () => database.close() };
}

/** The settings of servers that are started one after the other, on a folder and a database with stock content. */
export async function stockedForRestarts(): ReturnType<typeof databaseSettings> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quire-restarts-'));
  const { settings, drop } = await stockedSettings(dataDir);
  return {
    settings: { DATA_DIR: dataDir, ...settings },
    drop: async () => {
      await drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export const basic = `Basic ${Buffer.from('Administrator:Administrator').toString('base64')}`;

/** A request to a running server as the stock Administrator. */
export const ask = (url: string, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}${path}`, {
    ...init,
    headers: { Authorization: basic, 'Content-Type': 'application/json', ...init.headers },
  });
