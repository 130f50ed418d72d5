import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { authorization } from '../support/administrator.ts';
import { emptyDatabase, stockedDatabase } from '../support/database.ts';
import { newFolder } from '../support/folder.ts';
import { use } from '../support/use.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A process that a test has started, with its output so far. */
export interface Running {
  readonly child: ChildProcess;
  readonly printed: { out: string; err: string };
  /** Resolves when the process has ended, with its exit code and the signal that ended it. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

const inherited = ['PATH', 'HOME', 'TMPDIR'];

/**
 * The arguments of Node for a program. Programs of `src` run in their compiled form, with the options of `npm start`, but
 * without the optimizing compiler: in processes that tests start, it takes a sixth of the CPU time of the start and never
 * pays off.
 */
export function programArguments(file: string, folder = root): string[] {
  const compiled = /^src\/(.*)\.ts$/.exec(file)?.[1];
  return compiled === undefined
    ? [join(folder, file)]
    : ['--max-semi-space-size=64', '--no-opt', join(folder, 'dist', `${compiled}.js`)];
}

/**
 * Runs a program in another process with exactly the given settings.
 * @param folder the folder of the project.
 * @param input the content of its standard input.
 */
export function run(
  file: string,
  settings: Record<string, string>,
  args: string[] = [],
  folder = root,
  input = '',
): Running {
  const kept = Object.fromEntries(inherited.map((name) => [name, process.env[name]]));
  const child = spawn(process.execPath, [...programArguments(file, folder), ...args], {
    cwd: folder,
    env: { ...kept, ...settings },
    stdio: 'pipe',
  });
  child.stdin.end(input);
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

/** Resolves when a process has printed a text; rejects if it ends before. */
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

/** The server as a process, with its URL; `await using` kills it at the end of the block. */
export interface RunningServer extends Running, AsyncDisposable {
  readonly url: string;
}

/** Starts the server on a free port and waits until it is ready. */
export async function serve(settings: Record<string, string>, folder = root): Promise<RunningServer> {
  const running = run('src/serve.ts', { PORT: '0', ...settings }, [], folder);
  const [, url = ''] = await printing(running, /Quire serves (\S+)/);
  return { ...running, url, [Symbol.asyncDispose]: () => kill(running) };
}

/** Ends a process that is still running at the end of a test. */
export async function kill({ child, ended }: Running): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

/** The settings of processes that share a folder and a database. Disposing of the object drops the database. */
export interface ProcessSettings extends AsyncDisposable {
  readonly settings: Record<string, string>;
}

/** Creates a folder and a database for processes, without tables or with the stock content. */
export async function processSettings({ isStocked = false } = {}): Promise<ProcessSettings> {
  const { url, database } = await (isStocked ? stockedDatabase() : emptyDatabase());
  return {
    settings: { DATA_DIR: newFolder(), DATABASE_URL: url },
    [Symbol.asyncDispose]: () => database.close(),
  };
}

/** Creates a folder and a database for all tests of a file. The object is empty before the first test. */
export function useProcessSettings(options?: { readonly isStocked: boolean }): Record<string, string> {
  const settings: Record<string, string> = {};
  use(async () => {
    const own = await processSettings(options);
    Object.assign(settings, own.settings);
    return own;
  });
  return settings;
}

/** Sends a request to a running server as the stock administrator. */
export const ask = (url: string, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}${path}`, {
    ...init,
    headers: { Authorization: authorization, 'Content-Type': 'application/json', ...init.headers },
  });
