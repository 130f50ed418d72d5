import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { basename, dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { atEnd } from './closing.ts';

/** A Node process that serves HTTP. */
export interface Running {
  readonly pid: number;
  readonly url: string;
  /** The time from its spawn to its first 200, in milliseconds. */
  readonly readyAfter: number;
  readonly stop: () => Promise<void>;
}

/** Finds a free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the system gave no port');
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

/**
 * Runs a Node program until the end of the benchmark, and waits until `/health/ready` responds with 200. Its environment contains
 * only the given settings.
 * @param node the path of Node's program; the running one by default.
 * @throws Error with its standard error when it exits, or is not ready within three minutes, which suffice on a busy machine
 */
export async function startNode(
  program: readonly string[],
  settings: Readonly<Record<string, string>>,
  node = process.execPath,
): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const stop = async () => child && end(child);
  atEnd(stop);

  const spawned = performance.now();
  const env = { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), ...settings };
  child = spawn(node, program, { env, stdio: ['ignore', 'ignore', 'pipe'] });
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
 * Bundles a program by esbuild as for production, because `tsx` wraps functions to keep their names, which would slow it down.
 * @returns the file.
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
 * Runs a server that is compared with Quire, with the default options of Node.
 * @param node the path of Node's program; the running one by default.
 */
export const startRival = async (
  source: URL,
  settings: Readonly<Record<string, string>>,
  node?: string,
): Promise<Running> => startNode([await bundle(source)], { NODE_ENV: 'production', ...settings }, node);

/** The number of clock ticks per second in `/proc`, which is the same on every Linux that Node supports. */
const ticks = 100;

/**
 * The CPU time of a process in `/proc/PID/stat`, in milliseconds; undefined without `/proc`.
 * @param isWithEnded whether to include children that have ended.
 */
async function timesOf(pid: number, isWithEnded: boolean): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The name of the program, in brackets, can contain spaces. utime, stime, cutime and cstime are the fields 14 to 17.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  const times = fields?.slice(11, isWithEnded ? 15 : 13).map(Number);
  return times && (times.reduce((sum, time) => sum + time, 0) * 1000) / ticks;
}

/** The CPU time that a process has used so far, in milliseconds; undefined without `/proc`. */
export const cpuTime = (pid: number): Promise<number | undefined> => timesOf(pid, false);

/** The times of the main thread of a process, in milliseconds. */
export interface ThreadTime {
  readonly cpu: number;
  /** The time for which it was ready to run but had no CPU. */
  readonly waited: number;
}

/** Reads the times of a main thread so far; undefined if the system does not count them. */
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

/** The ids of a process and all its descendants. */
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
 * The CPU time of a process and its descendants, including children that have ended, in milliseconds; undefined without
 * `/proc`.
 */
export async function cpuTimeOfAll(pid: number): Promise<number | undefined> {
  let sum = 0;
  for (const member of await familyOf(pid)) sum += (await timesOf(member, true)) ?? 0;
  return sum > 0 ? sum : undefined;
}

/**
 * The memory of a process and all its descendants in MB; undefined without `/proc`. Shared memory is divided equally among
 * the processes that share it.
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

/** The current memory of a process in MB; undefined without `/proc`. */
export async function memory(pid: number): Promise<number | undefined> {
  const status = await readProcess(pid, 'status');
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}
