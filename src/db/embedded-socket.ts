import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketHandler, type PGLiteSocketHandlerOptions } from '@electric-sql/pglite-socket';
import { Unavailable } from '../errors.ts';

const host = '127.0.0.1';
const maxConnections = 50;

// Milliseconds after which a client is disconnected that is idle in a transaction: all others wait for it.
const idleLimit = 5_000;

/** Resets the session that all clients share: settings, roles, cursors, locks, temporary tables. */
const resetSession =
  'SET SESSION AUTHORIZATION DEFAULT; RESET ALL; CLOSE ALL; UNLISTEN *; SELECT pg_advisory_unlock_all(); DISCARD TEMP';

type OnData = (data: Uint8Array) => void;

function messageOf(type: string, content: string): Buffer {
  const message = Buffer.from(`${type}\0\0\0\0${content}`);
  message.writeInt32BE(message.length - 1, 1);
  return message;
}

const typeOf = (message: Uint8Array): string => String.fromCharCode(message[0] ?? 0);

const queryMessage = (sql: string): Buffer => messageOf('Q', `${sql}\0`);

/** The position of the name of a prepared statement in a message; 0 where there is none. */
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

/** The same message with a prefix before the name of a prepared statement: the session is shared. */
function withOwnNames(message: Buffer, prefix: string): Buffer {
  const at = statementNameAt(message);
  if (at === 0 || !message[at]) return message; // no name, or the empty one
  const renamed = Buffer.concat([message.subarray(0, at), Buffer.from(prefix), message.subarray(at)]);
  renamed.writeInt32BE(renamed.length - 1, 1);
  return renamed;
}

// Sent after a message that may request data from the client (COPY FROM STDIN): PGlite runs a message to its
// end before it reads another, and would wait for the data for ever. After other messages it is ignored.
const noData = messageOf('f', 'the embedded database cannot COPY FROM STDIN\0');

/** The startup message of every client: its own could change the user or database of the shared session. */
const startup = Buffer.from('\0\0\0\x29\0\x03\0\0user\0postgres\0database\0postgres\0\0');

/** The message for PGlite, which crashes on a message for which PostgreSQL would end a connection. */
function admissible(message: Buffer, prefix: string): Buffer {
  if (typeOf(message) === '\0' && message.length >= 8) return startup;
  const isSound = message.length >= 5 && message.readInt32BE(1) === message.length - 1;
  if (!isSound || !'QPBDECSHFdcf'.includes(typeOf(message))) throw new Error('no message of the protocol');
  return withOwnNames(message, prefix);
}

/** @returns whether no transaction is open after the message. */
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
 * Waits until neither the application nor another client uses the session: PGlite's own queries and
 * transactions take the same lock.
 * @returns a function that releases it.
 */
const takeTurn = (db: PGlite): Promise<() => void> =>
  new Promise((resolve, reject) => {
    db._runExclusiveTransaction(() => new Promise<void>((end) => resolve(end))).catch(reject);
  });

interface Queue {
  enqueue(id: number, message: Uint8Array, onData: OnData): Promise<number>;
  clearQueueForHandler(id: number): void;
  clearTransactionIfNeeded(id: number): Promise<void>;
}

// Runs the messages of one client in turns. All clients share one session, and the queue of pglite-socket
// interleaves their statements, and our own transactions: here a turn is exclusive, and lasts until no
// transaction is open.
function createQueue(db: PGlite, onStalled: () => void): Queue {
  let endTurn: (() => void) | undefined;
  let hasLeft = false;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const release = async () => {
    const end = endTurn;
    endTurn = undefined;
    await execute(db, queryMessage(resetSession)).finally(end);
  };
  const run = async (id: number, message: Buffer, onData: OnData) => {
    // Terminate, and the data of a COPY that was refused.
    if (!endTurn && 'Xdcf'.includes(typeOf(message))) return 0;
    endTurn ??= await takeTurn(db);
    clearTimeout(timer);
    if (hasLeft) throw new Error('the client has left');
    if (await execute(db, admissible(message, `${id}.`), onData)) await release();
    else timer = setTimeout(onStalled, idleLimit);
    return 0;
  };
  const abandon = async () => {
    clearTimeout(timer);
    if (!endTurn) return;
    // After an error of an extended query everything up to Sync is skipped, the first ROLLBACK too.
    for (const message of [queryMessage('ROLLBACK'), messageOf('S', ''), queryMessage('ROLLBACK')]) {
      await execute(db, message).catch(() => {});
    }
    await release().catch(() => {});
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
      last = last.then(abandon);
      await last;
    },
  };
}

function sendFatal(socket: Socket, code: string, reason: string): void {
  if (!socket.writable) return;
  socket.write(messageOf('E', `SFATAL\0VFATAL\0C${code}\0M${reason}\0\0`));
}

function serveClient(db: PGlite, socket: Socket, onClosed: () => void): () => Promise<unknown> {
  const queue = createQueue(db, () => {
    sendFatal(socket, '25P03', `terminating connection due to idle-in-transaction timeout: others wait`);
    void handler.detach(true).then(onClosed);
  });
  const queryQueue = queue as unknown as PGLiteSocketHandlerOptions['queryQueue']; // its class is not exported
  const handler = new PGLiteSocketHandler({ queryQueue, closeOnDetach: true });
  for (const event of ['close', 'error']) handler.addEventListener(event, onClosed);
  void handler.attach(socket);
  return () => {
    sendFatal(socket, '57P01', 'terminating connection: the database is being closed');
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

export interface EmbeddedSocket {
  readonly port: number;
  /** Disconnects the clients; their open transactions are rolled back. */
  close(): Promise<void>;
}

/**
 * Serves an embedded database in PostgreSQL's protocol on the loopback address. Clients and the application
 * take turns, by statement or transaction.
 * @param port 0 for any free one.
 * @throws Unavailable when the port is in use.
 */
export async function serveSocket(db: PGlite, port: number): Promise<EmbeddedSocket> {
  const clients = new Map<Socket, () => Promise<unknown>>();
  const server = createServer((socket) => {
    const onClosed = () => {
      const isLast = clients.delete(socket) && clients.size === 0;
      // Prepared statements of clients outlive turns; the application has none.
      if (isLast) db.exec('DEALLOCATE ALL').catch(() => {});
    };
    clients.set(socket, serveClient(db, socket, onClosed));
  });
  server.maxConnections = maxConnections;
  const address = await listen(server, port);
  return {
    port: address.port,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.all([...clients.values()].map((disconnect) => disconnect()));
      await closed;
    },
  };
}
