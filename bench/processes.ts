import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { atEnd } from './closing.ts';

/** A Node process that serves HTTP. */
export interface Running {
  readonly pid: number;
  readonly url: string;
  /** The time from starting the process to its first response with status 200, in milliseconds. */
  readonly readyAfter: number;
  readonly stop: () => Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the system did not assign a port');
  return address.port;
}

const hasExited = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

async function end(child: ChildProcess): Promise<void> {
  if (hasExited(child)) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 12_000);
  await exited;
  clearTimeout(timer);
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

export interface StartOptions {
  /** The path of the Node executable; by default, the one that runs this process. */
  readonly node?: string | undefined;
  /** Is called with each line that the program prints. */
  readonly onLog?: ((line: string) => void) | undefined;
}

/**
 * Starts a Node program, which runs until the benchmark ends, and waits until `/health/ready` responds with 200.
 * The environment of the program contains only the given settings.
 * @throws Error with the program's standard error if it exits or is not ready within three minutes, which is enough
 * even on a busy machine
 */
export async function startNode(
  program: readonly string[],
  settings: Readonly<Record<string, string>>,
  { node = process.execPath, onLog }: StartOptions = {},
): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const stop = async () => child && end(child);
  atEnd(stop);

  const spawned = performance.now();
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), ...settings };
  child = spawn(node, program, { env, stdio: ['ignore', onLog ? 'pipe' : 'ignore', 'pipe'] });
  if (child.stdout && onLog) createInterface(child.stdout).on('line', onLog);
  let errors = '';
  child.stderr?.on('data', (text: Buffer) => {
    errors = `${errors}${text.toString()}`.slice(-4000);
  });
  while (!(await answers(`${url}/health/ready`))) {
    const isLate = performance.now() - spawned > 180_000;
    if (hasExited(child) || isLate) throw new Error(`${program.join(' ')} did not start:\n${errors}`);
    await wait(10);
  }
  return { pid: child.pid ?? 0, url, readyAfter: performance.now() - spawned, stop };
}

/**
 * Bundles a program with esbuild, as in production. `tsx` would slow the program down, because it wraps functions to
 * preserve their names.
 * @returns the path of the bundle
 */
export async function bundle(source: URL): Promise<string> {
  const file = fileURLToPath(source);
  const folder = fileURLToPath(new URL('../node_modules/.cache/quire-bench', import.meta.url));
  const outfile = `${folder}/${basename(dirname(file))}-${basename(file, '.ts')}.mjs`;
  await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  return outfile;
}

/**
 * Starts a server to compare with Quire. It runs with Node's default options.
 */
export const startRival = async (
  source: URL,
  settings: Readonly<Record<string, string>>,
  node?: string,
): Promise<Running> => startNode([await bundle(source)], { NODE_ENV: 'production', ...settings }, { node });

/** The number of clock ticks per second in `/proc`. It is the same on every Linux system that Node supports. */
const ticks = 100;

/**
 * Returns the CPU time of a process from `/proc/PID/stat`, in milliseconds; undefined without `/proc`.
 * @param isWithEnded whether to include child processes that have ended
 */
async function timesOf(pid: number, isWithEnded: boolean): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name of the program, in parentheses, can contain spaces. The fields utime, stime, cutime and cstime are
  // numbers 14 to 17.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const times = fields?.slice(11, isWithEnded ? 15 : 13).map(Number);
  return times && (times.reduce((sum, time) => sum + time, 0) * 1000) / ticks;
}

/** Returns the CPU time that a process has used so far, in milliseconds; undefined without `/proc`. */
export const cpuTime = (pid: number): Promise<number | undefined> => timesOf(pid, false);

/** The times of a process's main thread, in milliseconds. */
export interface ThreadTime {
  readonly cpu: number;
  /** The time during which the thread was ready to run but waited for a CPU. */
  readonly waited: number;
}

/**
 * Reads the times that a process's main thread has used so far. Returns undefined if the system does not record them.
 */
export function threadTime(pid: number): ThreadTime | undefined {
  try {
    const [cpu, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ').map(Number);
    return { cpu: (cpu ?? 0) / 1e6, waited: (waited ?? 0) / 1e6 };
  } catch {
    return undefined;
  }
}

export const timeSince = (
  before: ThreadTime | undefined,
  after: ThreadTime | undefined,
): ThreadTime | undefined =>
  before && after && { cpu: after.cpu - before.cpu, waited: after.waited - before.waited };

const readProcess = (pid: number, file: string): Promise<string> =>
  readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '');

/** Returns the ids of a process and all its descendants. */
export async function familyOf(pid: number): Promise<number[]> {
  const all = (await readdir('/proc').catch((): string[] => [])).map(Number).filter(Number.isInteger);
  const parents = new Map<number, number>();
  for (const each of all) {
    const [, parent] = /^PPid:\s+(\d+)$/m.exec(await readProcess(each, 'status')) ?? [];
    parents.set(each, Number(parent));
  }
  const family = [pid];
  for (const member of family) family.push(...all.filter((each) => parents.get(each) === member));
  return family;
}

/**
 * Returns the CPU time of a process and its descendants, including children that have ended, in milliseconds;
 * undefined without `/proc`.
 */
export async function cpuTimeOfAll(pid: number): Promise<number | undefined> {
  let sum = 0;
  for (const member of await familyOf(pid)) sum += (await timesOf(member, true)) ?? 0;
  return sum > 0 ? sum : undefined;
}

/**
 * Returns the memory of a process and all its descendants in MB; undefined without `/proc`. Shared memory is
 * divided equally among the processes that share it.
 */
export async function memoryOfAll(pid: number): Promise<number | undefined> {
  let kilobytes = 0;
  for (const member of await familyOf(pid)) {
    const [, held] = /^Pss:\s+(\d+) kB$/m.exec(await readProcess(member, 'smaps_rollup')) ?? [];
    if (held === undefined) return undefined;
    kilobytes += Number(held);
  }
  return kilobytes / 1024;
}

/** Returns the current memory of a process in MB; undefined without `/proc`. */
export async function memory(pid: number): Promise<number | undefined> {
  const status = await readProcess(pid, 'status');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}
