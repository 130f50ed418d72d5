import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { databaseServers } from '../config.ts';
import { TimedOut, Unavailable } from '../errors.ts';
import { analysisKey } from '../words/atoms.ts';
import { connectionTimeout } from './database.ts';
import type { Driver } from './driver.ts';
import { createNotifications, listenerName } from './notifications.ts';
import {
  hasNoRowsLeft,
  hasRowsLeft,
  isQueryTimeout,
  sendQuery,
  sendRowByRow,
  sendStatement,
} from './pg/send-query.ts';
import { pinned } from './pinned-connection.ts';
import { createPipeline } from './pipeline.ts';
import { createPrimary } from './primary.ts';
import { prismaAdapters } from './prisma.ts';
import { startUpLock } from './start-up-lock.ts';

/**
 * How long to wait for connections to close, in milliseconds. The limit is needed because a server that has disappeared
 * never closes its end of a connection.
 */
const closingTimeout = 1_000;

/**
 * The idle time in milliseconds after which the operating system probes whether the server still exists (TCP
 * keep-alive).
 */
const keepAliveDelay = 10_000;

interface Sockets {
  /** Creates a socket, as required by the `stream` setting of `pg`. */
  readonly create: () => Socket;
  readonly breakAll: () => void;
  /** Waits briefly for all connections to end, then destroys those that are still open. */
  readonly close: (ended: Promise<unknown>) => Promise<void>;
}

function createSockets(): Sockets {
  const open = new Set<Socket>();
  const breakAll = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    breakAll,
    create: () => {
      const socket = new Socket().setKeepAlive(true, keepAliveDelay);
      open.add(socket);
      socket.once('close', () => open.delete(socket));
      return socket;
    },
    close: async (ended) => {
      await Promise.race([ended, wait(closingTimeout, undefined, { ref: false })]);
      breakAll();
      await ended;
    },
  };
}

/** The idle time in milliseconds after which a connection is closed, which also frees its prepared statements. */
const idleTimeout = 60_000;

const uuidListOid = 2951;

/**
 * Parses an array of UUIDs, in which nothing is quoted. The parser of `pg` would read the array character by character.
 */
const readUuids = (text: string): string[] => (text === '{}' ? [] : text.slice(1, -1).split(','));

const types: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === uuidListOid && format !== 'binary' ? readUuids : pg.types.getTypeParser(type, format as 'text'),
};

/**
 * Turns off JIT compilation, which costs more than it saves: with it, a search over many documents would take twice as
 * long.
 */
const withoutJit = '-c jit=off';

/**
 * Makes the server end the sessions of a client that has been gone for 40 s. Otherwise, those sessions would hold their
 * locks for hours.
 */
const leaving =
  '-c tcp_keepalives_idle=20 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=4 -c tcp_user_timeout=40000';

// Quick statements use the same index whatever the keys are, so replanning them for each call would cost more than it
// saves.
const genericPlans = '-c plan_cache_mode=force_generic_plan';

/** Makes a search request many pages from the disk at once. Reading them one by one would take four times as long. */
const pagesAtOnce = 'SET effective_io_concurrency = 200';

/**
 * The number of connections that quick statements share. One would suffice, but two keep both the client and the server
 * busy.
 */
const sharedConnections = 2;

const isSilence = (fault: unknown): boolean =>
  isQueryTimeout(fault) || (fault instanceof Unavailable && isQueryTimeout(fault.cause));

/**
 * Connects to a PostgreSQL server.
 *
 * Transactions and slow statements use the connections of a pool, which Prisma and SQL share. Quick statements share
 * two pipelined connections. Announcements (LISTEN and NOTIFY) have a dedicated connection, as do migrations and long
 * exports.
 * @param url a connection string, which can name several hosts: see `databaseServers`
 * @param statementTimeout the timeout of a statement, in seconds
 * @param connections the size of the pool
 * @param language the language with which this process writes the search index
 */
export function connectServer(
  url: string,
  statementTimeout: number,
  connections = 10,
  language?: string,
): Driver {
  const servers = databaseServers(url);
  const [connectionString = url] = servers.urls;
  const { Client, doubt, isLost, breaks } = createPrimary(servers);
  const sockets = createSockets();
  const plain = { connectionString, stream: sockets.create, options: leaving };
  const settings = {
    ...plain,
    Client,
    types,
    options: `${leaving} ${withoutJit}`,
    connectionTimeoutMillis: connectionTimeout,
    statement_timeout: statementTimeout * 1000,
  };
  const verify = (client: pg.PoolClient, done: (fault?: Error) => void): void =>
    void sendQuery(client, pagesAtOnce, undefined, connectionTimeout).then(
      () => done(),
      (error: Error) => done(isQueryTimeout(error) ? error : undefined), // some systems do not support the setting
    );
  const pool = new pg.Pool({ ...settings, max: connections, idleTimeoutMillis: idleTimeout, verify });
  // If a connection breaks while it is idle, or between two statements, the next statement fails and reports the error.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const longest = statementTimeout * 1000 + connectionTimeout;
  // Like `pool.query`, this closes the connection after a failed statement, unless the connection is known to be
  // usable.
  const pooled = async <T>(send: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect();
    return send(client).then(
      (answer) => {
        client.release();
        return answer;
      },
      (error: unknown) => {
        client.release(!hasNoRowsLeft(error));
        throw error;
      },
    );
  };
  const shared = { ...settings, options: `${settings.options} ${genericPlans}` };
  const pipeline = createPipeline(Client, shared, {
    connections: sharedConnections,
    timeout: connectionTimeout,
  });
  const adapterFor = prismaAdapters(pool);
  const pin = pinned(adapterFor);
  const breakOff = (): void => {
    doubt();
    sockets.breakAll();
  };
  const { statement, listen, close } = createNotifications(
    { Client, name: listenerName.of(analysisKey(language)), onSilence: breakOff },
    plain,
  );
  const apart: Driver['apart'] = async (work, signal) => {
    const client = new Client(plain);
    client.on('error', () => {}); // the next statement fails and reports the error
    await client.connect();
    const leave = () => void client.end();
    signal?.addEventListener('abort', leave);
    try {
      signal?.throwIfAborted();
      return await work({
        query: async ({ text }, values) => (await client.query(text, values)).rows,
        script: async (sql) => void (await client.query(sql)),
      });
    } finally {
      signal?.removeEventListener('abort', leave);
      await client.end();
    }
  };
  return {
    adapter: adapterFor((query) => pooled((client) => sendQuery(client, query, undefined, longest))),
    query: async (query, values) =>
      query.isQuick
        ? pipeline.query(query, values)
        : pooled((client) => (query.isLarge ? sendRowByRow : sendStatement)(client, query, values, longest)),
    // A script without parameters is sent as a single message, whose statements PostgreSQL runs as one transaction.
    script: async (sql) => void (await pool.query(sql)),
    transaction: async (milliseconds, work, announced, writer) => {
      const client = await pool.connect();
      const { connection, begin, commit, rollBack, end: unpin } = pin(client);
      const end = performance.now() + milliseconds;
      let fault: unknown;
      try {
        await begin(milliseconds === statementTimeout * 1000 ? undefined : milliseconds, writer);
        const result = await work(connection);
        await commit(announced.size > 0 ? `${statement(announced)}; ` : '', end - performance.now());
        return result;
      } catch (error) {
        fault = error;
        unpin();
        throw error;
      } finally {
        // If a statement may still be running, the connection is closed, and the server rolls back the transaction.
        const isBusy = fault instanceof TimedOut || hasRowsLeft(fault) || isSilence(fault);
        const failed = fault && !isBusy ? await rollBack().catch((error: Error) => error) : undefined;
        client.release(isBusy || failed instanceof Error);
      }
    },
    apart,
    // This dedicated connection has no statement timeout, because migrating many rows can take a long time.
    exclusively: (work) =>
      apart(async (connection) => {
        await connection.script(`BEGIN; ${startUpLock}`);
        const result = await work(connection);
        await connection.script('COMMIT');
        return result;
      }),
    isLost,
    breaks,
    breakOff,
    otherProcesses: {
      listen,
      notify: async (...announcement) => void (await pool.query(statement([announcement.join(' ')]))),
    },
    close: () => sockets.close(Promise.all([close(), pool.end(), pipeline.close()])),
  };
}
