import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketHandler, type PGLiteSocketHandlerOptions } from '@electric-sql/pglite-socket';
import { Unavailable } from '../errors.ts';

const host = '127.0.0.1';
const maxConnections = 50;

/** A client that keeps everybody waiting in a transaction, and asks nothing, is sent away after these milliseconds. */
const patience = 5_000;

/** What a turn may have left in the one session that all share: settings, roles, cursors, locks, temporary tables. */
const leaveNothing =
  'SET SESSION AUTHORIZATION DEFAULT; RESET ALL; CLOSE ALL; UNLISTEN *; SELECT pg_advisory_unlock_all(); DISCARD TEMP';

type OnData = (data: Uint8Array) => void;

/** A message of the protocol: its type, its length, its content. */
function messageOf(type: string, content: string): Buffer {
  const message = Buffer.from(`${type}\0\0\0\0${content}`);
  message.writeInt32BE(message.length - 1, 1);
  return message;
}

const typeOf = (message: Uint8Array): string => String.fromCharCode(message[0] ?? 0);

const queryMessage = (sql: string): Buffer => messageOf('Q', `${sql}\0`);

/** Where a message names a prepared statement. */
function statementNameAt(message: Buffer): number {
  switch (typeOf(message)) {
    case 'P':
      return 5;
    case 'B':
      return message.indexOf(0, 5) + 1; // after the name of the portal
    case 'D':
    case 'C':
      return message[5] === 'S'.charCodeAt(0) ? 6 : 0;
    default:
      return 0;
  }
}

/** The same message for the shared session, where clients that use one name mean statements of their own. */
function withOwnNames(message: Buffer, prefix: string): Buffer {
  const at = statementNameAt(message);
  if (at === 0 || !message[at]) return message; // names none, or the unnamed one
  const renamed = Buffer.concat([message.subarray(0, at), Buffer.from(prefix), message.subarray(at)]);
  renamed.writeInt32BE(renamed.length - 1, 1);
  return renamed;
}

/**
 * After whatever may ask the client for data (COPY FROM STDIN): no more is to be had. PGlite runs a message to its
 * end before it can read another, and would wait for the data for ever. Where nobody asked, it is ignored.
 */
const noData = messageOf('f', 'the embedded database cannot COPY FROM STDIN\0');

/** What every client starts with: a startup message of its own could switch the session that all share. */
const startup = Buffer.from('\0\0\0\x29\0\x03\0\0user\0postgres\0database\0postgres\0\0');

/** The message as PGlite may see it: it does not survive what PostgreSQL ends a connection for. */
function admissible(message: Buffer, prefix: string): Buffer {
  if (typeOf(message) === '\0' && message.length >= 8) return startup;
  const isSound = message.length >= 5 && message.readInt32BE(1) === message.length - 1;
  if (!isSound || !'QPBDECSHFdcf'.includes(typeOf(message))) throw new Error('no message of the protocol');
  return withOwnNames(message, prefix);
}

/** Executes one message. @returns whether the session is free for others after it. */
async function execute(db: PGlite, message: Buffer, onData: OnData = () => {}): Promise<boolean> {
  let end = Buffer.alloc(0);
  const onRawData = (data: Uint8Array) => {
    end = Buffer.concat([end, data.subarray(-6)]).subarray(-6);
    onData(data);
  };
  const whole = 'QE'.includes(typeOf(message)) ? Buffer.concat([message, noData]) : message;
  await db.runExclusive(() => db.execProtocolRawStream(whole, { onRawData }));
  return end.equals(messageOf('Z', 'I')); // ReadyForQuery, outside of any transaction
}

/**
 * Waits until neither the application nor another client has the session: PGlite's own queries and
 * transactions take the same lock. @returns how to pass it on.
 */
const takeTurn = (db: PGlite): Promise<() => void> =>
  new Promise((resolve, reject) => {
    db._runExclusiveTransaction(() => new Promise<void>((end) => resolve(end))).catch(reject);
  });

/** What the handler of a connection asks for in order to run the messages it has read. */
interface Queue {
  enqueue(id: number, message: Uint8Array, onData: OnData): Promise<number>;
  clearQueueForHandler(id: number): void;
  clearTransactionIfNeeded(id: number): Promise<void>;
}

/**
 * Runs the messages of one client in turns. There is one session for everybody, and the queue of
 * pglite-socket lets clients into the middle of each other's statements and of our own transactions:
 * here a turn lasts until the client is outside of a transaction, and excludes everybody else.
 */
function createQueue(db: PGlite, onStalled: () => void): Queue {
  let endTurn: (() => void) | undefined;
  let hasLeft = false;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const passOn = async () => {
    const end = endTurn;
    endTurn = undefined;
    await execute(db, queryMessage(leaveNothing)).finally(end);
  };
  const run = async (id: number, message: Buffer, onData: OnData) => {
    // Goodbye, and the data of a COPY that was refused.
    if (!endTurn && 'Xdcf'.includes(typeOf(message))) return 0;
    endTurn ??= await takeTurn(db);
    clearTimeout(timer);
    if (hasLeft) throw new Error('the client has left');
    if (await execute(db, admissible(message, `${id}.`), onData)) await passOn();
    else timer = setTimeout(onStalled, patience);
    return 0;
  };
  const giveUp = async () => {
    clearTimeout(timer);
    if (!endTurn) return;
    // The first ends what is open; it is skipped after an error of an extended query, which Sync ends.
    for (const message of [queryMessage('ROLLBACK'), messageOf('S', ''), queryMessage('ROLLBACK')]) {
      await execute(db, message).catch(() => {});
    }
    await passOn().catch(() => {});
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
    clearTransactionIfNeeded: async () => {
      last = last.then(giveUp);
      await last;
    },
  };
}

/** Tells a client why it is sent away. */
function sayGoodbye(socket: Socket, code: string, reason: string): void {
  if (!socket.writable) return;
  socket.write(messageOf('E', `SFATAL\0VFATAL\0C${code}\0M${reason}\0\0`));
}

/** Serves one client. @returns how to send it away. */
function serveClient(db: PGlite, socket: Socket, onLeft: () => void): () => Promise<unknown> {
  const queue = createQueue(db, () => {
    sayGoodbye(socket, '25P03', `terminating connection due to idle-in-transaction timeout: others wait`);
    void handler.detach(true).then(onLeft);
  });
  const queryQueue = queue as unknown as PGLiteSocketHandlerOptions['queryQueue']; // its class is not exported
  const handler = new PGLiteSocketHandler({ queryQueue, closeOnDetach: true });
  for (const event of ['close', 'error']) handler.addEventListener(event, onLeft);
  void handler.attach(socket);
  return () => {
    sayGoodbye(socket, '57P01', 'terminating connection: the database is being closed');
    return handler.detach(true);
  };
}

const listen = (server: Server, port: number): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === 'EADDRINUSE';
      const message = isTaken
        ? `port ${port} of ${host} is in use: set another EMBEDDED_PORT`
        : cause.message;
      reject(new Unavailable(message, { cause: isTaken ? undefined : cause }));
    });
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });

/** An embedded database that other programs can open as if it were a PostgreSQL server. */
export interface EmbeddedSocket {
  readonly port: number;
  /** Sends the clients away; what they had not committed is rolled back. */
  close(): Promise<void>;
}

/**
 * Serves an embedded database in PostgreSQL's protocol, on the loopback address, to whoever connects.
 * Clients wait for each other and for the application, statement by statement, transaction by transaction.
 * @param port 0 takes a free one.
 * @throws Unavailable when the port is in use.
 */
export async function serveSocket(db: PGlite, port: number): Promise<EmbeddedSocket> {
  const clients = new Map<Socket, () => Promise<unknown>>();
  const server = createServer((socket) => {
    const onLeft = () => {
      const isLast = clients.delete(socket) && clients.size === 0;
      // Prepared statements outlive turns; ours have no name.
      if (isLast) db.exec('DEALLOCATE ALL').catch(() => {});
    };
    clients.set(socket, serveClient(db, socket, onLeft));
  });
  server.maxConnections = maxConnections;
  const address = await listen(server, port);
  return {
    port: address.port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.all([...clients.values()].map((sendAway) => sendAway()));
      await closed;
    },
  };
}
