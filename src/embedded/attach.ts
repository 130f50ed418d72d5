import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { extname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Unavailable } from '../errors.ts';
import { loader, makeEmbeddedFolder, readHostAddress } from './files.ts';
import type { HostMessage, HostReply } from './host-reply.ts';

/**
 * The number of milliseconds to wait for another host process that is stopping. After this time, an error reports that
 * the folder is in use.
 */
const stoppingTime = 10_000;

/**
 * The minimum and maximum delays, in milliseconds, between attempts to start a host process. The delays grow, because
 * each attempt starts a process.
 */
const pauses = { first: 50, max: 1_000 };

/** The number of milliseconds between attempts to reconnect after the host process has died. */
const restartDelay = 500;

const program = fileURLToPath(new URL(`./host${extname(import.meta.url)}`, import.meta.url));

export interface EmbeddedSettings {
  readonly dataDir: string;
  readonly port?: number | undefined;
  /** The number of connections that the database must accept, if it exceeds the default. */
  readonly connections?: number;
}

export interface EmbeddedDatabase {
  readonly url: string;
  /** A log line with the PostgreSQL version and the data folder. */
  readonly notice: string;
  /** Disconnects. Resolves when the database has stopped, or immediately if other processes are still using it. */
  close(): Promise<void>;
}

/**
 * The number of milliseconds to wait for a response from the host process. If a host process was killed, another
 * program may be listening on its port.
 */
const admissionTime = 5_000;

/** Connects to the running host process of a folder. Returns undefined if none is running. */
async function connectToHost(folder: string): Promise<{ socket: Socket; reply: HostReply } | undefined> {
  const address = readHostAddress(folder);
  if (!address) return undefined;
  const socket = connect({ port: address.port, host: '127.0.0.1' });
  try {
    await once(socket, 'connect');
    const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
    const gone = once(socket, 'close').then(() => undefined);
    const nextLine = (): Promise<string | undefined> =>
      Promise.race([lines.next().then(({ value }) => value), gone]);
    socket.write(`${address.token}\n`);
    const admitted = await Promise.race([nextLine(), wait(admissionTime, undefined, { ref: false })]);
    const text = admitted === '' ? await nextLine() : undefined;
    if (text) return { socket, reply: JSON.parse(text) };
  } catch {
    // The connection was refused, or another program is listening on the port.
  }
  socket.destroy();
  return undefined;
}

function spawnHost({ dataDir, port, connections = 0 }: EmbeddedSettings, folder: string): ChildProcess {
  const log = openSync(join(folder, 'host.log'), 'a', 0o600);
  const args = [...loader, program, dataDir, String(port ?? ''), String(connections)];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'ignore', log, 'ipc'],
    detached: true,
    windowsHide: true,
  });
  closeSync(log);
  return child;
}

/**
 * Starts a host process and waits until it is listening.
 * @returns a message if another process has locked the folder; otherwise undefined.
 */
async function startHost(settings: EmbeddedSettings, folder: string): Promise<string | undefined> {
  const child = spawnHost(settings, folder);
  const message = await Promise.race([
    once(child, 'message').then(([text]) => text as HostMessage),
    once(child, 'exit').then(() => undefined),
  ]);
  if (message === undefined)
    throw new Unavailable(`The host process of the embedded database did not start. See ${folder}/host.log.`);
  if (message !== 'listening') {
    if ('inUse' in message) return message.inUse;
    throw new Unavailable(`The host process of the embedded database did not start: ${message.fault}`);
  }
  child.disconnect();
  child.unref();
  return undefined;
}

async function connectOrStart(settings: EmbeddedSettings, folder: string) {
  const end = performance.now() + stoppingTime;
  for (let pause = pauses.first; ; pause = Math.min(1.5 * pause, pauses.max)) {
    const connected = await connectToHost(folder);
    if (connected) return connected;
    const inUse = await startHost(settings, folder);
    if (inUse === undefined) continue;
    if (performance.now() > end) throw new Unavailable(inUse);
    await wait(pause);
  }
}

/**
 * Starts the embedded database of a data folder, or connects to it if another process has already started it. If the
 * host process is killed, a new one is started, which restarts the database.
 * @throws Unavailable if the database cannot run, or if a process other than a host process uses the folder.
 */
export async function attachEmbedded(settings: EmbeddedSettings): Promise<EmbeddedDatabase> {
  const own = { ...settings, dataDir: resolve(settings.dataDir) };
  const folder = makeEmbeddedFolder(own.dataDir);
  let isClosing = false;
  let current: Socket;

  async function join(requested: EmbeddedSettings): Promise<Exclude<HostReply, { fault: string }>> {
    const { socket, reply } = await connectOrStart(requested, folder);
    if ('fault' in reply) {
      socket.destroy();
      throw new Unavailable(reply.fault);
    }
    current = socket;
    socket.on('error', () => {});
    socket.unref();
    socket.once('close', () => void rejoin(Number(new URL(reply.url).port)));
    return reply;
  }
  // The port must stay the same, because the connection pool keeps using the same address. After a crash, processes
  // that are being killed may occupy it for a while.
  async function rejoin(port: number): Promise<void> {
    while (!isClosing) {
      try {
        await join({ ...own, port });
        return;
      } catch (error) {
        process.stderr.write(`${(error as Error).message}\n`);
        await wait(restartDelay, undefined, { ref: false });
      }
    }
  }

  const reply = await join(own);
  return {
    ...reply,
    close: async () => {
      isClosing = true;
      if (current.destroyed) return;
      const closed = once(current.ref(), 'close');
      current.end();
      current.resume();
      await closed;
      current.destroy();
    },
  };
}
