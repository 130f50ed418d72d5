import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Unavailable } from '../errors.ts';
import { CannotRun, type Engine, type RunningEngine } from './engine.ts';
import { freePort } from './free-port.ts';
import { endLeftover, readPidFile } from './leftover.ts';
import { clusterFolder, type Owner, type Place } from './place.ts';
import { type Programs, programEnvironment } from './programs.ts';

/** Admitted in any case: several servers and commands may join, with settings of their own. */
const leastConnections = 300;

/** Megabytes; what PostgreSQL comes with, and a limit, since the start touches 2.4 % of them. */
const [leastBuffers, mostBuffers] = [128, 4096];

/** Megabytes that this process and those that it starts may use, in a container too. */
function memory(): number {
  const limit = process.constrainedMemory();
  return Math.min(totalmem(), limit || Number.POSITIVE_INFINITY) / 2 ** 20;
}

/** A quarter of the memory: pages that only the cache of the system holds cost three times as much. */
const sharedBuffers = (): number => Math.floor(Math.min(mostBuffers, Math.max(leastBuffers, memory() / 4)));

/**
 * The settings of the embedded PostgreSQL that differ from those it comes with.
 * @param major the version of its programs.
 * @param connections more than the usual ones are admitted.
 */
export const serverSettings = (major: number, connections = leastConnections): Record<string, string> => ({
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  max_connections: String(Math.max(leastConnections, connections)),
  max_logical_replication_workers: '0',
  // For many clients at once, several processes for one statement are slower than one.
  max_parallel_workers_per_gather: '0',
  max_wal_size: '512MB',
  shared_buffers: `${sharedBuffers()}MB`,
  // Workers would be three processes more, which pay on large machines only.
  ...(major >= 18 && { io_method: 'sync' }),
});

/** Milliseconds in which it is ready, after a crash too: it first applies what it had logged. */
const startTimeout = 120_000;

/** Milliseconds to stop in: recovering on a full disk it may never do so. What is logged is safe. */
const stopTimeout = 8_000;

/** The log holds what PostgreSQL says of itself, not the errors of statements: it hardly grows. */
const largestLog = 1_000_000;

const user = 'quire';

/** Containers may run root without the right to do so, and user namespaces without any other user. */
function give(path: string, { uid, gid }: Owner): void {
  try {
    chownSync(path, uid, gid);
  } catch (error) {
    throw new CannotRun(`root may not give files to user ${uid} here: ${(error as Error).message}`);
  }
}

async function initialise(
  programs: Programs,
  { owner }: Place,
  workshop: string,
  password: string,
): Promise<string> {
  await endLeftover(join(workshop, 'cluster')); // of a start that was killed
  rmSync(workshop, { recursive: true, force: true });
  mkdirSync(workshop, { mode: 0o700 });
  const passwordFile = join(workshop, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (owner) for (const path of [workshop, passwordFile]) give(path, owner);
  const cluster = join(workshop, 'cluster');
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
  const access = [`--username=${user}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const args = ['-D', cluster, ...locale, ...access, '--no-instructions'];
  const options = { ...owner, cwd: workshop, env: programEnvironment() };
  await promisify(execFile)(join(programs.folder, 'bin', 'initdb'), args, options).catch((error) => {
    throw new CannotRun(`initdb fails: ${String(error.stderr || error.message).trim()}`);
  });
  return cluster;
}

/**
 * Makes the cluster of some programs under another name first, so that an unfinished one is never used.
 * @param fill lays the rows that an older database holds.
 * @throws CannotRun when the programs cannot make one here.
 */
export async function createCluster(
  programs: Programs,
  place: Place,
  password: string,
  fill?: (url: string) => Promise<void>,
): Promise<void> {
  const workshop = join(place.folder, 'unfinished');
  try {
    const cluster = await initialise(programs, place, workshop, password);
    if (fill) {
      const running = await start({ programs, place, cluster, password }, await freePort());
      try {
        await fill(running.url);
      } finally {
        await running.stop();
      }
    }
    renameSync(cluster, clusterFolder(place.folder, programs.major));
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}

function openLog(folder: string): number {
  const file = join(folder, 'postgresql.log');
  if (existsSync(file) && statSync(file).size > largestLog) renameSync(file, `${file}.1`);
  const log = openSync(file, 'a', 0o600);
  chmodSync(file, 0o600);
  return log;
}

/** The reason that the log gives for an end, after what earlier starts have written. */
const faultAfter = (logFile: string, size: number): string =>
  readFileSync(logFile)
    .toString('utf8', size)
    .split('\n')
    .findLast((line) => /(?:FATAL|PANIC): +(?!the database system is)/.test(line))
    ?.replace(/^.*(?:FATAL|PANIC): +/, '') ?? 'it gives no reason';

async function untilReady(cluster: string, child: ChildProcess, logFile: string): Promise<void> {
  const { size } = statSync(logFile);
  const end = performance.now() + startTimeout;
  for (;;) {
    const lines = readPidFile(cluster);
    if (lines[0] === String(child.pid) && lines[7]?.trim() === 'ready') return;
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Unavailable(`PostgreSQL has ended at its start: ${faultAfter(logFile, size)} (${logFile})`);
    if (performance.now() > end) throw new Unavailable(`PostgreSQL is not ready yet: see ${logFile}`);
    await wait(10);
  }
}

async function start(
  { programs, cluster, place, password, connections }: Installed,
  port: number,
): Promise<RunningEngine> {
  await endLeftover(cluster);
  const log = openLog(place.folder);
  const settings = Object.entries(serverSettings(programs.major, connections));
  const options = settings.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(
    join(programs.folder, 'bin', 'postgres'),
    ['-D', cluster, '-p', String(port), ...options],
    {
      ...place.owner,
      cwd: cluster,
      env: programEnvironment(),
      stdio: ['ignore', log, log],
      detached: true, // Ctrl+C in a terminal does not reach it
      windowsHide: true,
    },
  );
  closeSync(log);
  const ended = once(child, 'exit').then(() => {});
  const stop = async () => {
    child.kill('SIGINT');
    const timer = setTimeout(() => child.kill('SIGQUIT'), stopTimeout);
    await ended;
    clearTimeout(timer);
  };
  try {
    await untilReady(cluster, child, join(place.folder, 'postgresql.log'));
  } catch (error) {
    if (child.exitCode === null) await stop();
    throw error;
  }
  const abandon = () => void child.kill('SIGQUIT');
  return { url: `postgresql://${user}:${password}@127.0.0.1:${port}/postgres`, ended, stop, abandon };
}

interface Installed {
  readonly programs: Programs;
  readonly place: Place;
  readonly cluster: string;
  readonly password: string;
  readonly connections?: number | undefined;
}

export function postgresql(programs: Programs, place: Place, password: string, connections?: number): Engine {
  const cluster = clusterFolder(place.folder, programs.major);
  const where = place.reason ? `${cluster}, since ${place.reason}` : cluster;
  return {
    notice: `PostgreSQL ${programs.version} runs on ${where}`,
    start: (port) => start({ programs, place, cluster, password, connections }, port),
  };
}
