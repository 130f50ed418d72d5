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
  /** Not set if the database is embedded in DATA_DIR. */
  readonly DATABASE_URL?: string;
  /** Not set if blobs are stored in DATA_DIR. */
  readonly BLOB_STORE?: string;
}

/** The running server under test. It is a direct child process, so that the signal reaches the server itself. */
export interface Target {
  readonly url: string;
  /** The time from starting the process to the first 200 response from `/health/ready`, in milliseconds. */
  readonly readyAfter: number;
  /** Kills the server and the other processes at the same time, and waits until the server is gone. */
  readonly kill: (others: () => readonly number[]) => Promise<void>;
  /**
   * Checks that the server has logged nothing. It logs only errors.
   * @throws Error with the log if it has logged something
   */
  readonly expectSilence: () => void;
  /** Stops the server with a signal. @throws Error if the server does not exit cleanly */
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

/**
 * Starts the server with new or existing data, and waits until it is ready.
 * @throws Error if it does not become ready
 */
export async function startTarget(settings: Settings): Promise<Target> {
  const { child, url, exited, since, errors } = await launch(settings);
  while (!(await answers(`${url}/health/ready`))) {
    const isLate = performance.now() - since > 120_000;
    if (hasExited(child) || isLate) throw new Error(`the server did not start:\n${errors()}`);
    await wait(5);
  }
  // If the server has exited, the response came from another program that has taken the port.
  if (hasExited(child)) throw new Error(`the server exited unexpectedly:\n${errors()}`);
  const readyAfter = performance.now() - since;
  const kill = async (others: () => readonly number[]) => {
    if (hasExited(child)) throw new Error(`the server exited unexpectedly:\n${errors()}`);
    // The server is killed first; otherwise it could still tell clients that its database is gone.
    killAtOnce([child.pid ?? 0, ...others()]);
    await exited;
  };
  const expectSilence = () => {
    if (errors() !== '') throw new Error(`the server logged an error:\n${errors()}`);
  };
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
    if (child.exitCode !== 0) throw new Error(`the server exited with code ${child.exitCode}:\n${errors()}`);
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
