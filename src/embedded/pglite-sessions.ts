import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketHandler, type PGLiteSocketHandlerOptions } from '@electric-sql/pglite-socket';
import {
  eachNotification,
  messageOf,
  nameAt,
  type OnData,
  queryMessage,
  statementNameAt,
  typeOf,
  withOwnNames,
} from './protocol.ts';

const maxConnections = 50;

// Milliseconds after which a client is disconnected that is idle in a transaction: all others wait for it.
const idleLimit = 30_000;

const vacuumAfter = 500; // turns

/** Resets the session that all clients share: settings, roles, cursors, locks, temporary tables. */
const resetSession =
  'SET SESSION AUTHORIZATION DEFAULT; RESET ALL; CLOSE ALL; SELECT pg_advisory_unlock_all(); DISCARD TEMP';

// Sent after a message that may request data from the client (COPY FROM STDIN): PGlite runs a message to its
// end before it reads another, and would wait for the data for ever. After other messages it is ignored.
const noData = messageOf('f', 'the embedded database cannot COPY FROM STDIN\0');

/** The startup message of every client: its own could change the user or database of the shared session. */
const startup = Buffer.from('\0\0\0\x29\0\x03\0\0user\0postgres\0database\0postgres\0\0');

const passwordRequest = messageOf('R', '\0\0\0\x03');

const isStartup = (message: Buffer): boolean => typeOf(message) === '\0' && message.length >= 8;

/** The message for PGlite, which crashes on a message for which PostgreSQL would end a connection. */
function admissible(message: Buffer, prefix: string): Buffer {
  const isSound = message.length >= 5 && message.readInt32BE(1) === message.length - 1;
  if (!isSound || !'QPBDECSHFdcf'.includes(typeOf(message))) throw new Error('no message of the protocol');
  return withOwnNames(message, prefix);
}

interface Shared {
  readonly db: PGlite;
  readonly password: string;
  /** The client that had the last turn, whose settings the session still has. */
  last: number;
  turns: number;
  readonly listening: Set<Socket>;
}

/** @returns whether no transaction is open after the message. */
async function execute(
  { db, listening }: Shared,
  message: Buffer,
  onData: OnData = () => {},
): Promise<boolean> {
  let end = Buffer.alloc(0);
  // The session of all clients listens: what it hears goes to those that asked for it.
  const forward = eachNotification((notification) => {
    for (const socket of listening) if (socket.writable) socket.write(Buffer.from(notification));
  });
  const onRawData = (data: Uint8Array) => {
    end = Buffer.concat([end, data.subarray(-6)]).subarray(-6);
    forward(data);
    onData(data);
  };
  const whole = 'QE'.includes(typeOf(message)) ? Buffer.concat([message, noData]) : message;
  await db.runExclusive(() => db.execProtocolRawStream(whole, { onRawData }));
  return end.equals(messageOf('Z', 'I')); // ReadyForQuery, outside of any transaction
}

const takeTurn = ({ db }: Shared): Promise<() => void> =>
  new Promise((resolve, reject) => {
    db._runExclusiveTransaction(() => new Promise<void>((end) => resolve(end))).catch(reject);
  });

interface Queue {
  enqueue(id: number, message: Uint8Array, onData: OnData): Promise<number>;
  clearQueueForHandler(id: number): void;
  clearTransactionIfNeeded(id: number): Promise<void>;
}

// Runs the messages of one client in turns. All clients share one session, and the queue of pglite-socket
// interleaves their statements: here a turn is exclusive, and lasts until no transaction is open.
function createQueue(shared: Shared, socket: Socket, refuse: (code: string, reason: string) => void): Queue {
  let endTurn: (() => void) | undefined;
  let hasLeft = false;
  let isKnown = false;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const names = new Set<string>();

  /** @returns the message for PGlite, unless the client has to say the password first. */
  const greet = (message: Buffer, onData: OnData): Buffer | undefined => {
    if (isStartup(message)) {
      onData(passwordRequest);
      return undefined;
    }
    const [given, wanted] = [message.subarray(5), Buffer.from(`${shared.password}\0`)];
    isKnown = typeOf(message) === 'p' && given.length === wanted.length && timingSafeEqual(given, wanted);
    if (isKnown) return startup;
    refuse('28P01', 'password authentication failed');
    return undefined;
  };
  const begin = async (id: number) => {
    endTurn = await takeTurn(shared);
    shared.turns += 1;
    if (shared.last !== id) await execute(shared, queryMessage(resetSession));
    shared.last = id;
  };
  const release = () => {
    endTurn?.();
    endTurn = undefined;
  };
  const remember = (message: Buffer) => {
    if (typeOf(message) === 'P') names.add(nameAt(message, statementNameAt(message)));
    const isListen = typeOf(message) === 'Q' && /^\s*LISTEN\b/i.test(message.toString('utf8', 5, 40));
    if (isListen) shared.listening.add(socket);
  };
  const run = async (id: number, message: Buffer, onData: OnData) => {
    // Terminate, and the data of a COPY that was refused.
    if (!endTurn && 'Xdcf'.includes(typeOf(message))) return 0;
    const asked = isKnown ? admissible(message, `${id}.`) : greet(message, onData);
    if (!asked) return 0;
    if (!endTurn) await begin(id);
    clearTimeout(timer);
    if (hasLeft) throw new Error('the client has left');
    remember(asked);
    if (await execute(shared, asked, onData)) release();
    else
      timer = setTimeout(() => refuse('25P03', 'idle in a transaction for too long: others wait'), idleLimit);
    return 0;
  };
  const forget = async (id: number) => {
    if (names.size === 0) return;
    if (!endTurn) await begin(id);
    for (const name of names) if (name) await execute(shared, messageOf('C', `S${name}\0`));
    await execute(shared, messageOf('S', ''));
  };
  const abandon = async (id: number) => {
    clearTimeout(timer);
    shared.listening.delete(socket);
    // After an error of an extended query everything up to Sync is skipped, the first ROLLBACK too.
    const ending = endTurn ? [queryMessage('ROLLBACK'), messageOf('S', ''), queryMessage('ROLLBACK')] : [];
    for (const message of ending) await execute(shared, message).catch(() => {});
    await forget(id).catch(() => {});
    release();
  };
  return {
    enqueue: (id, message, onData) => {
      const result = last.then(() => run(id, Buffer.from(message), onData));
      last = result.catch(() => {});
      return result;
    },
    clearQueueForHandler: () => {
      hasLeft = true;
    },
    clearTransactionIfNeeded: async (id) => {
      last = last.then(() => abandon(id));
      await last;
    },
  };
}

function sendFatal(socket: Socket, code: string, reason: string): void {
  if (!socket.writable) return;
  socket.write(messageOf('E', `SFATAL\0VFATAL\0C${code}\0Mterminating connection: ${reason}\0\0`));
}

function serveClient(shared: Shared, socket: Socket, onClosed: () => void): () => Promise<unknown> {
  const refuse = (code: string, reason: string) => {
    sendFatal(socket, code, reason);
    void handler.detach(true).then(onClosed);
  };
  const queue = createQueue(shared, socket, refuse);
  const queryQueue = queue as unknown as PGLiteSocketHandlerOptions['queryQueue']; // its class is not exported
  const handler = new PGLiteSocketHandler({ queryQueue, closeOnDetach: true });
  for (const event of ['close', 'error']) handler.addEventListener(event, onClosed);
  void handler.attach(socket);
  return () => {
    sendFatal(socket, '57P01', 'the database is being closed');
    return handler.detach(true);
  };
}

export interface PgliteSessions {
  /** Vacuums when enough has been done since the last time. */
  vacuum(): Promise<void>;
  /** Disconnects the clients; their open transactions are rolled back. */
  close(): Promise<void>;
}

/**
 * Serves PGlite in PostgreSQL's protocol on loopback, to clients that know the password. They take turns, by
 * statement or transaction.
 */
export async function servePglite(
  db: PGlite,
  { port, password }: { readonly port: number; readonly password: string },
): Promise<PgliteSessions> {
  const shared: Shared = { db, password, last: 0, turns: 0, listening: new Set() };
  const clients = new Map<Socket, () => Promise<unknown>>();
  const server = createServer((socket) => {
    clients.set(
      socket,
      serveClient(shared, socket, () => clients.delete(socket)),
    );
  });
  server.maxConnections = maxConnections;
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    vacuum: async () => {
      if (shared.turns < vacuumAfter) return;
      shared.turns = 0;
      await db.exec('VACUUM ANALYZE');
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      await Promise.all([...clients.values()].map((disconnect) => disconnect()));
      await closed;
    },
  };
}
