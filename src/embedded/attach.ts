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

/** Milliseconds that a host which stops may take, before its folder counts as in use. */
const stoppingTime = 10_000;

/** Milliseconds until another host is started in its place: each costs a process. */
const pauses = { first: 50, longest: 1_000 };

const restartDelay = 500;

const program = fileURLToPath(new URL(`./host${extname(import.meta.url)}`, import.meta.url));

export interface EmbeddedSettings {
  readonly dataDir: string;
  readonly port?: number | undefined;
  /** How many the database is to admit, if that is more than it does in any case. */
  readonly connections?: number;
}

export interface EmbeddedDatabase {
  readonly url: string;
  /** What runs where, and why: for the log. */
  readonly notice: string;
  /** Resolves when the database has stopped, or other processes keep it running. */
  close(): Promise<void>;
}

/** Milliseconds in which a host admits a process; another program may listen at the port of a killed one. */
const admissionTime = 5_000;

async function reachHost(folder: string): Promise<{ socket: Socket; reply: HostReply } | undefined> {
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
    // refused, or another program listens there now
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

/** Waits until a host listens. @returns why it does not, when another process has locked the folder. */
async function startHost(settings: EmbeddedSettings, folder: string): Promise<string | undefined> {
  const child = spawnHost(settings, folder);
  const message = await Promise.race([
    once(child, 'message').then(([said]) => said as HostMessage),
    once(child, 'exit').then(() => undefined),
  ]);
  if (message === undefined)
    throw new Unavailable(`the host of the embedded database did not start: see ${folder}/host.log`);
  if (message !== 'listening') {
    if ('inUse' in message) return message.inUse;
    throw new Unavailable(`the host of the embedded database did not start: ${message.fault}`);
  }
  child.disconnect();
  child.unref();
  return undefined;
}

async function reachOrStart(settings: EmbeddedSettings, folder: string) {
  const end = performance.now() + stoppingTime;
  for (let pause = pauses.first; ; pause = Math.min(1.5 * pause, pauses.longest)) {
    const reached = await reachHost(folder);
    if (reached) return reached;
    const inUse = await startHost(settings, folder);
    if (inUse === undefined) continue;
    if (performance.now() > end) throw new Unavailable(inUse);
    await wait(pause);
  }
}

/**
 * Starts the database of a data folder, or joins the processes that use it. When its host is killed, another
 * one is started, which starts the database again.
 * @throws Unavailable when it cannot run, or a process that is no host uses the folder.
 */
export async function attachEmbedded(settings: EmbeddedSettings): Promise<EmbeddedDatabase> {
  const own = { ...settings, dataDir: resolve(settings.dataDir) };
  const folder = makeEmbeddedFolder(own.dataDir);
  let isClosing = false;
  let current: Socket;

  async function join(wanted: EmbeddedSettings): Promise<Exclude<HostReply, { fault: string }>> {
    const { socket, reply } = await reachOrStart(wanted, folder);
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
  // At the same port, since the pool knows its address. Processes that were killed may hold it for a while.
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
