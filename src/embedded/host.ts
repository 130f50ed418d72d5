import { randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { Unavailable } from '../errors.ts';
import type { Engine, RunningEngine } from './engine.ts';
import { makeEmbeddedFolder, writeHostAddress, writePrivately } from './files.ts';
import { lockAbandoned } from './folder-lock.ts';
import { choosePort, freePort } from './free-port.ts';
import type { HostMessage, HostReply } from './host-reply.ts';
import { prepareEngine } from './prepare-engine.ts';

// The host is the process that starts the database of a data folder. Every process that uses the database maintains a
// connection to the host. The operating system closes this connection when the process exits or is killed, so the host
// always knows which processes are using the database. When the last connection is closed, the host stops the database.

/** The number of milliseconds after which a host exits if no process has connected to it. */
const connectTimeout = 10_000;

/** The number of milliseconds to wait before restarting a database that ended unexpectedly. */
const restartDelay = 1_000;

const send = (message: HostMessage): Promise<void> =>
  new Promise((sent) => process.send?.(message, undefined, undefined, () => sent()) ?? sent());

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

interface Shutdown {
  readonly stop: () => Promise<void>;
  readonly abandon: () => void;
}

/** Restarts the database whenever it ends unexpectedly. @returns functions to shut it down. */
function keepRunning(engine: Engine, port: number, first: RunningEngine): Shutdown {
  let running: RunningEngine | undefined = first;
  let isStopping = false;
  let lastFault = '';
  const report = ({ message }: Error): undefined => {
    const fault = message.replaceAll(/\d+/g, '');
    if (fault !== lastFault) process.stderr.write(`${new Date().toISOString()} ${message}\n`);
    lastFault = fault;
  };
  const guard = async () => {
    while (!isStopping) {
      await running?.ended;
      if (isStopping) return;
      await wait(restartDelay);
      running = await engine.start(port).catch(report);
    }
    await running?.stop();
  };
  const ended = guard();
  return {
    stop: async () => {
      isStopping = true;
      await running?.stop();
      await ended;
    },
    abandon: () => {
      isStopping = true;
      running?.abandon();
    },
  };
}

interface Opened extends Shutdown {
  readonly reply: HostReply;
}

async function open(
  dataDir: string,
  folder: string,
  portSetting: string,
  connections: number,
): Promise<Opened> {
  const engine = await prepareEngine(dataDir, connections);
  const addressFile = join(folder, 'url');
  const port = await choosePort(addressFile, portSetting);
  // Another program may have started to use the port since it was chosen.
  const running = await engine.start(port).catch(async (error: unknown) => {
    if (portSetting !== '') throw error;
    return engine.start(await freePort());
  });
  const { url } = running;
  writePrivately(addressFile, `${url}\n`);
  return {
    reply: { url, notice: engine.notice },
    ...keepRunning(engine, Number(new URL(url).port), running),
  };
}

async function isAdmitted(socket: Socket, token: string): Promise<boolean> {
  const lines = createInterface({ input: socket });
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => String(text)),
    wait(connectTimeout, '', { ref: false }),
  ]);
  return isSame(line, token);
}

async function main(): Promise<void> {
  const [dataDir = '', portSetting = '', connections = ''] = process.argv.slice(2);
  process.umask(0o022); // if root runs PostgreSQL as another user, that user must be able to read its programs
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const folder = makeEmbeddedFolder(dataDir);
  const lose = async (): Promise<never> => {
    process.stderr.write(`${new Date().toISOString()} Another process has taken over ${dataDir}.\n`);
    const abandoned = opening.then(({ abandon }) => abandon());
    await Promise.race([abandoned, wait(100)]).catch(() => {});
    process.exit(1);
  };
  const unlock = await lockAbandoned(dataDir, () => void lose());
  const token = randomBytes(32).toString('hex');
  const opening = open(dataDir, folder, portSetting, Number(connections));
  const reply = opening.then(
    (opened) => opened.reply,
    (error: Error): HostReply => ({
      fault: error instanceof Unavailable ? error.message : (error.stack ?? error.message),
    }),
  );
  const clients = new Set<Socket>();
  let isEnding = false;
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    server.close();
    await opening.then(({ stop }) => stop()).catch(() => {});
    unlock();
    process.exit();
  };
  const leave = (socket: Socket) => {
    clients.delete(socket);
    // A process that disconnects waits until the host closes the connection. If it is the last process, the host stops
    // the database first.
    if (clients.size === 0) void end();
    else socket.end();
  };
  const greet = async (socket: Socket): Promise<void> => {
    socket.on('error', () => socket.destroy());
    if (isEnding || !(await isAdmitted(socket, token))) {
      socket.destroy();
      return;
    }
    clients.add(socket);
    socket.once('end', () => leave(socket));
    socket.once('close', () => leave(socket));
    // Responds even before the database has started, which can take minutes, so that the process knows that this is a
    // host and not another program.
    socket.write('\n');
    const answer = await reply;
    if (socket.writable) socket.write(`${JSON.stringify(answer)}\n`);
    if ('fault' in answer) socket.end();
  };
  const server = createServer({ allowHalfOpen: true }, (socket) => void greet(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  writeHostAddress(folder, { port: (server.address() as AddressInfo).port, token });
  await send('listening');
  await wait(connectTimeout);
  if (clients.size === 0) await end();
}

main().catch(async (error: unknown) => {
  if (error instanceof Unavailable) await send({ inUse: error.message });
  else await send({ fault: error instanceof Error ? error.message : String(error) });
  process.exit(1);
});
