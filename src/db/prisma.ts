/**
 * Everything that depends on the internals of Prisma Client and its adapter for `pg`. The interface between the two is
 * described by `@prisma/driver-adapter-utils` and implemented here. In addition, this module relies on the following:
 *
 * - `PrismaPg` sends each statement outside of its own transactions by calling the `query` method of its pool with one
 * argument, and reads the rows as arrays. Overriding this method therefore limits the duration of Prisma's statements
 * and, in a transaction, sends them on the transaction's connection (`prismaAdapters`).
 * - Prisma Client begins and ends transactions by calling `startTransaction`, `commit` and `rollback` of its adapter,
 * and sends no COMMIT itself if `usePhantomQuery` is set. A call that consists of several statements can therefore join
 * a transaction of Quire (`withinTransaction`).
 * - Prisma Client calls its adapter in the asynchronous context of the call, so that statements outside of transactions
 * can be counted on the meter of a request (`meteredPrisma`). If it batches calls of `findUnique`, their statement is
 * counted for the first of them.
 * - The adapter calls `query` of its pool before it waits for anything, so that the rows of the statement can be
 * counted towards the memory of the request (`receivedNow`). Prisma Client passes on an error without a code unchanged
 * (`RowsRefused`).
 *
 * `test/db/prisma.test.ts` fails if any of this changes.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import type {
  SqlDriverAdapter,
  SqlDriverAdapterFactory,
  SqlQueryable,
  Transaction,
} from '@prisma/driver-adapter-utils';
import type pg from 'pg';
import { AppError } from '../errors.ts';
import { PrismaClient } from '../generated/prisma/client.ts';
import type { Connection } from './driver.ts';
import { RowsRefused } from './errors.ts';
import { type Meter, measured } from './meter.ts';
import type { Statement } from './statement.ts';

/** Creates an object that inherits from another one and overrides some of its members. */
const overriding = <Base extends object>(base: Base, members: Partial<Record<keyof Base, unknown>>): Base =>
  Object.assign(Object.create(base), members);

const overridingAdapters = (
  factory: SqlDriverAdapterFactory,
  replace: (adapter: SqlDriverAdapter) => SqlDriverAdapter,
): SqlDriverAdapterFactory => overriding(factory, { connect: async () => replace(await factory.connect()) });

/** The maximum number of Prisma's prepared statements per connection. Further statements are parsed each time. */
const maxPreparedStatements = 500;

/**
 * Returns a function that assigns names to statements, so that each connection parses and plans a named statement only
 * once. Only the first `maxPreparedStatements` statements get a name.
 */
function statementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= maxPreparedStatements) return '';
    const name = createHash('sha256').update(sql).digest('hex').slice(0, 32);
    names.set(sql, name);
    return name;
  };
}

type Received = Statement['received'];

/** The function that counts the rows of the statement that an adapter is about to send. */
let receivedNow: Received;

/**
 * Calls `send` so that the rows of its statement are passed to `received`.
 * @param send passes a statement on to an adapter
 */
function receivedBy<T>(received: Received, send: () => Promise<T>): Promise<T> {
  receivedNow = received;
  try {
    return send();
  } finally {
    receivedNow = undefined;
  }
}

/** Sends a Prisma statement. Prisma passes the values as part of the first argument. */
export type QueryOfPrisma = (
  query: pg.QueryArrayConfig & Pick<Statement, 'received'>,
) => Promise<pg.QueryResult>;

/**
 * Returns a function that creates driver adapters. Each adapter sends its statements through the given function, and
 * all of them use the same statement names.
 */
export function prismaAdapters(pool: pg.Pool): (query: QueryOfPrisma) => SqlDriverAdapterFactory {
  const options = { statementNameGenerator: statementNames() };
  return (send) => {
    const query = (sent: pg.QueryArrayConfig) =>
      send(receivedNow ? { ...sent, received: receivedNow } : sent);
    // `on` is overridden because each adapter would otherwise add another error listener to the pool.
    const sending: pg.Pool = overriding(pool, { query, on: () => sending, removeListener: () => sending });
    return new PrismaPg(sending, options);
  };
}

/**
 * Wraps the adapter of a connection that is already in a transaction. Where Prisma would begin its own transaction, for
 * a call that consists of several statements, the call joins the existing transaction: if the call fails, that
 * transaction fails, too.
 */
export const withinTransaction = (factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory =>
  overridingAdapters(factory, (adapter) => {
    const transaction: Transaction = Object.assign(Object.create(adapter), {
      options: { usePhantomQuery: true }, // Prisma sends no COMMIT of its own
      commit: async () => {},
      rollback: async () => {},
    });
    return overriding(adapter, { startTransaction: async () => transaction, dispose: async () => {} });
  });

/**
 * The meter for the statements of a Prisma call outside of transactions. Prisma passes none of the caller's data to its
 * driver adapter, so the asynchronous context has to carry the meter.
 */
const current = new AsyncLocalStorage<Meter>();

let measuredCalls = 0;

// Runs a Prisma call whose statements are counted on the meter. On Node 20, an active `AsyncLocalStorage` hooks into
// every promise of the process, which costs more than the code of most requests. It is therefore disabled while no such
// call is running.
async function measuredCall<T>(meter: Meter, call: () => Promise<T>): Promise<T> {
  measuredCalls += 1;
  try {
    return await current.run(meter, async () => call());
  } finally {
    measuredCalls -= 1;
    if (measuredCalls === 0) current.disable();
  }
}

/**
 * Wraps a Prisma Client so that the statements of its calls are counted on the meter. The documented way is to extend
 * the client with `$extends`, but doing so for each request takes as long as the call itself.
 */
const meteredPrisma = <Base extends object>(base: Base, meter: Meter): Base =>
  new Proxy(base, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key);
      if (typeof member === 'function')
        return (...values: unknown[]) => measuredCall(meter, () => member.apply(target, values));
      return typeof member === 'object' && member !== null ? meteredPrisma(member, meter) : member;
    },
  });

const framing = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b/i;

/** Determines where the statements that are currently being sent are counted. */
interface Counting {
  readonly meter: Meter | undefined;
  readonly isInTransaction: boolean;
}

function counted<T>(
  { meter, isInTransaction }: Counting,
  sql: string,
  send: () => Promise<T>,
  rowsOf: (result: T) => number,
): Promise<T> {
  if (!meter || framing.test(sql)) return send();
  const { memory } = meter;
  return measured(meter, { name: '', text: sql }, async (counting) => {
    const result = await (memory
      ? memory.read({ isInTransaction, isLarge: undefined }, (received) => receivedBy(received, send))
      : send()
    ).catch(passOn);
    counting?.counted?.(rowsOf(result));
    return result;
  });
}

/**
 * @throws RowsRefused in place of an `AppError`, because Prisma Client would replace an `AppError` with its own error
 */
function passOn(error: unknown): never {
  throw error instanceof AppError ? new RowsRefused(error) : error;
}

const counting = (
  queryable: SqlQueryable,
  now: () => Counting,
): Pick<SqlQueryable, 'queryRaw' | 'executeRaw'> => ({
  queryRaw: (query) =>
    counted(
      now(),
      query.sql,
      () => queryable.queryRaw(query),
      ({ rows }) => rows.length,
    ),
  executeRaw: (query) =>
    counted(
      now(),
      query.sql,
      () => queryable.executeRaw(query),
      (count) => count,
    ),
});

/** Wraps a Prisma driver adapter so that its statements are counted, including those in transactions. */
const meteredAdapter = (factory: SqlDriverAdapterFactory, now: () => Counting): SqlDriverAdapterFactory =>
  overridingAdapters(factory, (adapter) =>
    overriding(adapter, {
      ...counting(adapter, now),
      startTransaction: async (...level: Parameters<typeof adapter.startTransaction>) => {
        const transaction = await adapter.startTransaction(...level);
        return overriding(transaction, counting(transaction, now));
      },
    }),
  );

/** The Prisma Client of a connection, and the meter of the transaction that uses it. */
interface ConnectionPrisma {
  readonly client: PrismaClient;
  readonly transaction: { meter: Meter | undefined };
}

function openPrisma(adapter: SqlDriverAdapterFactory): ConnectionPrisma {
  const transaction: ConnectionPrisma['transaction'] = { meter: undefined };
  const now = (): Counting => {
    const { meter } = transaction;
    return { meter: meter ?? current.getStore(), isInTransaction: meter !== undefined };
  };
  // Any other error format makes Prisma capture a stack trace for each call, although errors are rarely thrown.
  const options = { adapter: meteredAdapter(adapter, now), errorFormat: 'minimal' } as const;
  return { client: new PrismaClient(options), transaction };
}

/**
 * Creates a Prisma Client for each connection at its first Prisma call, because most transactions make none, and reuses
 * it afterwards. Only one transaction at a time uses a connection, so its meter can be stored with the connection. This
 * avoids an asynchronous context, which would account for a fifth of the duration of a call.
 */
export function prismaClients(): (
  connection: Pick<Connection, 'adapter' | 'aside'>,
  meter?: Meter,
) => PrismaClient {
  const clients = new WeakMap<SqlDriverAdapterFactory, ConnectionPrisma>();
  return ({ adapter, aside }, meter) => {
    const known = clients.get(adapter) ?? openPrisma(adapter);
    clients.set(adapter, known);
    const { client, transaction } = known;
    if (aside) transaction.meter = meter;
    return meter && !aside ? meteredPrisma(client, meter) : client;
  };
}
