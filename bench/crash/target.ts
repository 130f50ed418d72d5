import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { s3Environment } from '../../test/support/s3-server.ts';
import { atEnd } from '../closing.ts';
import { freePort } from '../processes.ts';
import { killAtOnce } from './processes.ts';

const program = fileURLToPath(new URL('../../dist/serve.js', import.meta.url));

/** The settings of the server under test. */
export interface Settings {
  readonly DATA_DIR: string;
  /** Absent if the database is embedded in DATA_DIR. */
  readonly DATABASE_URL?: string;
  /** Absent if blobs are in DATA_DIR. */
  readonly BLOB_STORE?: string;
}

/** The running server under test. It is a direct child process, so that a kill reaches the server itself. */
export interface Target {
  readonly url: string;
  /** The time from its spawn to its first 200 of `/health/ready`, in milliseconds. */
  readonly readyAfter: number;
  /** Kills the server and other processes at the same moment, and waits until the server is gone. */
  readonly kill: (others: () => readonly number[]) => Promise<void>;
  /** Checks that the server, which logs only errors, has logged nothing. @throws Error with what it logged */
  readonly expectSilence: () => void;
  /** Stops the server by a signal. @throws Error when it does not exit cleanly */
  readonly stop: () => Promise<void>;
}

interface Spawned {
  readonly child: ChildProcess;
  readonly url: string;
  readonly exited: Promise<unknown>;
  readonly since: number;
  readonly errors: () => string;
}

async function launch(settings: Settings): Promise<Spawned> {
  if (!existsSync(program)) throw new Error('dist/serve.js does not exist. Run "npm run build" first.');
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    HOST: '127.0.0.1',
    PORT: String(port),
    LOG_LEVEL: 'error',
    WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.1',
    ...(settings.BLOB_STORE !== undefined && s3Environment),
    ...settings,
  };
  const since = performance.now();
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text: Buffer) => {
      printed = `${printed}${text.toString()}`.slice(-8000);
    });
  }
  atEnd(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return { child, url: `http://127.0.0.1:${port}`, exited, since, errors: () => printed };
}

const hasExited = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/** Starts the server on new or existing data and waits until it is ready. @throws Error when it does not become ready */
export async function startTarget(settings: Settings): Promise<Target> {
  const { child, url, exited, since, errors } = await launch(settings);
  while (!(await answers(`${url}/health/ready`))) {
    const isLate = performance.now() - since > 120_000;
    if (hasExited(child) || isLate) throw new Error(`the server did not start:\n${errors()}`);
    await wait(5);
  }
  // Another program may have taken the port and answered.
  if (hasExited(child)) throw new Error(`the server ended by itself:\n${errors()}`);
  const readyAfter = performance.now() - since;
  const kill = async (others: () => readonly number[]) => {
    if (hasExited(child)) throw new Error(`the server ended by itself:\n${errors()}`);
    // The server is killed first, so that it cannot answer clients that its database is gone.
    killAtOnce([child.pid ?? 0, ...others()]);
    await exited;
  };
  const expectSilence = () => {
    if (errors() !== '') throw new Error(`the server logged an error:\n${errors()}`);
  };
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    if (child.exitCode !== 0) throw new Error(`the server ended with ${child.exitCode}:\n${errors()}`);
    expectSilence();
  };
  return { url, readyAfter, kill, expectSilence, stop };
}

/** Starts the server and kills it before it is ready. */
export async function killWhileStarting(
  settings: Settings,
  after: number,
  others: () => readonly number[],
): Promise<void> {
  const { child, exited } = await launch(settings);
  await wait(after);
  killAtOnce([child.pid ?? 0, ...others()]);
  await exited;
}
