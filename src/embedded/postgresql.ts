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

/**
 * The minimum value of `max_connections`. Several servers and commands with different settings may use the same
 * database.
 */
const minConnections = 300;

/**
 * The bounds of `shared_buffers`, in megabytes. The minimum is PostgreSQL's default. The maximum keeps startup fast,
 * because PostgreSQL then touches 2.4 % of the buffers.
 */
const [minBuffers, maxBuffers] = [128, 4096];

/** The memory that this process and its children can use, in megabytes, including any container limit. */
function memory(): number {
  const limit = process.constrainedMemory();
  return Math.min(totalmem(), limit || Number.POSITIVE_INFINITY) / 2 ** 20;
}

/**
 * Returns a quarter of the memory, as PostgreSQL recommends. Reading a page that is only in the file system cache costs
 * three times as much.
 */
const sharedBuffers = (): number => Math.floor(Math.min(maxBuffers, Math.max(minBuffers, memory() / 4)));

/**
 * The settings of the embedded PostgreSQL that differ from its defaults.
 * @param major the major version of PostgreSQL.
 * @param connections the required number of connections, if it exceeds the default minimum.
 */
export const serverSettings = (major: number, connections = minConnections): Record<string, string> => ({
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  max_connections: String(Math.max(minConnections, connections)),
  max_logical_replication_workers: '0',
  // With many concurrent clients, parallel execution makes statements slower.
  max_parallel_workers_per_gather: '0',
  max_wal_size: '512MB',
  shared_buffers: `${sharedBuffers()}MB`,
  // The default, io_method=worker, starts three additional processes, which are useful only on large machines.
  ...(major >= 18 && { io_method: 'sync' }),
});

/** The number of milliseconds to wait until PostgreSQL is ready. After a crash it first replays its write-ahead log. */
const startTimeout = 120_000;

/**
 * The number of milliseconds to wait for a graceful stop. On a full disk, it might never complete. Committed data
 * remains safe in the write-ahead log.
 */
const stopTimeout = 8_000;

/**
 * The size in bytes at which the log file is rotated. The log grows slowly, because failed statements are not logged.
 */
const maxLogSize = 1_000_000;

const user = 'quire';

/**
 * Changes the owner of a file. This can fail: in a container, root may lack the capability, and in a user namespace,
 * the other user may not exist.
 */
function changeOwner(path: string, { uid, gid }: Owner): void {
  try {
    chownSync(path, uid, gid);
  } catch (error) {
    throw new CannotRun(
      `root cannot change the owner of files to user ${uid} here: ${(error as Error).message}`,
    );
  }
}

async function initialise(
  programs: Programs,
  { owner }: Place,
  workshop: string,
  password: string,
): Promise<string> {
  await endLeftover(join(workshop, 'cluster')); // a start that was killed may have left a server behind
  rmSync(workshop, { recursive: true, force: true });
  mkdirSync(workshop, { mode: 0o700 });
  const passwordFile = join(workshop, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (owner) for (const path of [workshop, passwordFile]) changeOwner(path, owner);
  const cluster = join(workshop, 'cluster');
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8'];
  const access = [`--username=${user}`, '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const args = ['-D', cluster, ...locale, ...access, '--no-instructions'];
  const options = { ...owner, cwd: workshop, env: programEnvironment() };
  await promisify(execFile)(join(programs.folder, 'bin', 'initdb'), args, options).catch((error) => {
    throw new CannotRun(`initdb failed: ${String(error.stderr || error.message).trim()}`);
  });
  return cluster;
}

/**
 * Creates a cluster. The cluster has a temporary name until it is complete, so an incomplete cluster is never used.
 * @param fill a function that copies the rows of an older database into the running cluster.
 * @throws CannotRun if `initdb` fails.
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
  if (existsSync(file) && statSync(file).size > maxLogSize) renameSync(file, `${file}.1`);
  const log = openSync(file, 'a', 0o600);
  chmodSync(file, 0o600);
  return log;
}

/**
 * Returns the last fatal error in the log after the given position. Everything before it was written by earlier starts.
 */
const faultAfter = (logFile: string, size: number): string =>
  readFileSync(logFile)
    .toString('utf8', size)
    .split('\n')
    .findLast((line) => /(?:FATAL|PANIC): +(?!the database system is)/.test(line))
    ?.replace(/^.*(?:FATAL|PANIC): +/, '') ?? 'the log gives no reason';

async function untilReady(cluster: string, child: ChildProcess, logFile: string): Promise<void> {
  const { size } = statSync(logFile);
  const end = performance.now() + startTimeout;
  for (;;) {
    const lines = readPidFile(cluster);
    if (lines[0] === String(child.pid) && lines[7]?.trim() === 'ready') return;
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Unavailable(`PostgreSQL did not start: ${faultAfter(logFile, size)} (${logFile})`);
    if (performance.now() > end)
      throw new Unavailable(`PostgreSQL did not become ready in time. See ${logFile}.`);
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
      detached: true, // detached from the terminal, so that Ctrl+C is not sent to PostgreSQL
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
  const where = place.reason ? `${cluster}, because ${place.reason}` : cluster;
  return {
    notice: `PostgreSQL ${programs.version} runs on ${where}`,
    start: (port) => start({ programs, place, cluster, password, connections }, port),
  };
}
