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

// The program of the host: the one process that starts the database of a data folder. Every process that uses
// the database holds a connection to the host, which the kernel closes when that process ends or is killed.
// After the last one the host stops the database.

/** Milliseconds after which a host that no process has reached ends. */
const patience = 10_000;

/** Milliseconds between the end of a database that nothing has stopped, and its next start. */
const restartDelay = 1_000;

const say = (message: HostMessage): Promise<void> =>
  new Promise((sent) => process.send?.(message, undefined, undefined, () => sent()) ?? sent());

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

interface Ends {
  readonly stop: () => Promise<void>;
  readonly abandon: () => void;
}

/** Starts the database again whenever it ends by itself. @returns how it is ended. */
function keepRunning(engine: Engine, port: number, first: RunningEngine): Ends {
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

interface Opened extends Ends {
  readonly reply: HostReply;
}

async function open(
  dataDir: string,
  folder: string,
  wishedPort: string,
  connections: number,
): Promise<Opened> {
  const engine = await prepareEngine(dataDir, connections);
  const addressFile = join(folder, 'url');
  const port = await choosePort(addressFile, wishedPort);
  // Between the choice and the start another program may have taken the port.
  const running = await engine.start(port).catch(async (error: unknown) => {
    if (wishedPort !== '') throw error;
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
    wait(patience, '', { ref: false }),
  ]);
  return isSame(line, token);
}

async function main(): Promise<void> {
  const [dataDir = '', wishedPort = '', connections = ''] = process.argv.slice(2);
  process.umask(0o022); // or another user, whom root starts PostgreSQL as, could not read its programs
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  const folder = makeEmbeddedFolder(dataDir);
  const lose = async (): Promise<never> => {
    process.stderr.write(`${new Date().toISOString()} another process has taken ${dataDir}\n`);
    const abandoned = opening.then(({ abandon }) => abandon());
    await Promise.race([abandoned, wait(100)]).catch(() => {});
    process.exit(1);
  };
  const unlock = await lockAbandoned(dataDir, () => void lose());
  const token = randomBytes(32).toString('hex');
  const opening = open(dataDir, folder, wishedPort, Number(connections));
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
    // A process that closes in order waits for this end: the last one until the database has stopped.
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
    socket.write('\n'); // the database may take minutes; another program at this port would be as silent
    const answer = await reply;
    if (socket.writable) socket.write(`${JSON.stringify(answer)}\n`);
    if ('fault' in answer) socket.end();
  };
  const server = createServer({ allowHalfOpen: true }, (socket) => void greet(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  writeHostAddress(folder, { port: (server.address() as AddressInfo).port, token });
  await say('listening');
  await wait(patience);
  if (clients.size === 0) await end();
}

main().catch(async (error: unknown) => {
  if (error instanceof Unavailable) await say({ inUse: error.message });
  else await say({ fault: error instanceof Error ? error.message : String(error) });
  process.exit(1);
});
