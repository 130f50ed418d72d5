import { TimedOut } from '../errors.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { type Announcements, createAnnouncements, type Topic } from './announcements.ts';
import type { Connection, Driver, Send } from './driver.ts';
import { isTransactionConflict, WorkOutside } from './errors.ts';
import { limitLockWait, untilLocked } from './lock-attempts.ts';
import { type Meter, measured, newMeter } from './meter.ts';
import { migrate } from './migrate.ts';
import { prismaClients } from './prisma.ts';
import type { Carried } from './replicas/position.ts';
import { type Querying, statement } from './statement.ts';

/** Sends SQL statements and Prisma calls, either within a transaction or outside of one. */
export interface Client extends Querying {
  readonly prisma: PrismaClient;
  /**
   * Announces a change to this process and all others. Outside a transaction, this happens immediately; inside one, it
   * happens when the transaction commits, before `transaction` resolves.
   */
  announce(topic: Topic): Promise<void>;
  /**
   * Runs slow work that must not hold a connection or locks, such as hashing a password. Inside a transaction, the
   * first call with a given key rolls the transaction back, does the work, and retries the transaction, in which the
   * same call returns the result of the work. Each such call repeats everything that the transaction did before it, so
   * only the first few keys of a transaction are handled this way; the work for further keys is done inside the
   * transaction.
   * @param key identifies the work and everything that it depends on
   */
  outside<T>(key: string, work: () => Promise<T>): Promise<T>;
  /**
   * Runs statements inside a savepoint, and then rolls back to it, which undoes their changes and releases their locks.
   * It is available only in a transaction.
   */
  readonly aside?: (<T>(work: (query: Client['query']) => Promise<T>) => Promise<T>) | undefined;
  /** Set if the client reads from a replica, which may not have recent changes by other users yet. */
  readonly replica?: { readonly wroteAt: number };
}

/** A caller whose reads must see the caller's earlier writes and must not go back in time. */
interface ReadingCaller {
  readonly user: string;
  /**
   * The log position that the client sends with a request and receives with its response, for example in a cookie.
   */
  readonly carried?: Carried | undefined;
}

/**
 * The caller on whose behalf data is read. A read without a caller, such as looking up credentials, is only guaranteed
 * to see changes that have been announced.
 */
export type Reader = ReadingCaller | 'no caller';

export interface ReadServer {
  readonly name: string;
  /** The number of reads that the server has served. */
  readonly reads: number;
  /** Absent for the primary. `lag` is in milliseconds, and is undefined while the replica is not responding. */
  readonly replica?: { readonly lag: number | undefined; readonly isUsed: boolean };
}

/**
 * Serves reads outside of transactions from any server that already has all changes that the caller has made or seen.
 */
export interface Reads {
  /** Calls a function that only reads. If a replica fails, the function is called again with the primary. */
  run<T>(meter: Meter, reader: Reader, work: (client: Client) => Promise<T>): Promise<T>;
  /** Records a write of the caller. Must be called after the write is committed and before the response is sent. */
  wrote(caller: ReadingCaller): Promise<void>;
  servers(): readonly ReadServer[];
  close(): Promise<void>;
}

export interface Session extends Client {
  /**
   * Calls a function in a transaction, which is rolled back if the function throws or takes longer than `seconds`.
   * After a conflict with another transaction, the function is called again, so it must not have side effects outside
   * the database.
   * @param writer the user who makes the changes; if these changes include large documents, searches by other users do
   * not wait until those have been indexed
   * @throws TimedOut
   */
  transaction<T>(seconds: number, work: (client: Client) => Promise<T>, writer?: string): Promise<T>;
}

/** The database of a process. Everything except `reads` uses the primary. */
export interface Database extends Session {
  metered(meter: Meter): Session;
  readonly apart: Driver['apart'];
  migrate(): Promise<string[]>;
  /**
   * Checks that reads are possible.
   * @throws if no server responds
   */
  ping(): Promise<void>;
  readonly announcements: Announcements;
  readonly isLost: Driver['isLost'];
  readonly breaks: Driver['breaks'];
  readonly breakOff: Driver['breakOff'];
  readonly reads: Reads;
  close(): Promise<void>;
}

export type PrimaryDatabase = Omit<Database, 'reads' | 'ping' | 'close'>;

/** How long to wait for a free connection, in milliseconds, before the database is considered unavailable. */
export const connectionTimeout = 10_000;

const conflictAttempts = 4;

/**
 * The maximum number of times that a transaction is retried so that work can be done outside of it. Any further work is
 * done inside the transaction.
 */
const maxOutside = 10;

const atOnce: Client['outside'] = (_key, work) => work();

interface OutsideWork {
  readonly outside: Client['outside'];
  /** Does the work for which a transaction was rolled back, and waits until that work has succeeded or failed. */
  readonly finish: (end: WorkOutside) => Promise<void>;
}

/** Collects the results of work outside of a transaction, across all attempts to run the transaction. */
function outsideWork(): OutsideWork {
  const done = new Map<string, Promise<unknown>>();
  const settle = async (of: Promise<unknown>): Promise<void> => {
    await of.catch(() => {}); // the same call throws the error again in the next attempt
  };
  return {
    outside: async <T>(key: string, work: () => Promise<T>): Promise<T> => {
      const known = done.get(key);
      if (known) return known as Promise<T>;
      if (done.size >= maxOutside) return work();
      throw new WorkOutside(() => done.set(key, work()));
    },
    finish: async (end) => {
      end.start();
      await Promise.all([...done.values()].map(settle));
    },
  };
}

const timeoutMessage = (seconds: number): string =>
  `The transaction took longer than ${seconds} s and was rolled back.`;

function deadline(milliseconds: number, message: string): { passed: Promise<never>; clear: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimedOut(message)), milliseconds);
  });
  return { passed, clear: () => clearTimeout(timer) };
}

/**
 * The client of a connection or of the pool. It is a class because V8 would give each object literal with getters its
 * own hidden class, which would stay in memory until a full garbage collection.
 */
class ConnectionClient implements Client {
  readonly announce: Client['announce'];
  readonly query: Client['query'];
  readonly aside: Client['aside'];
  readonly outside: Client['outside'];
  readonly #open: () => PrismaClient;
  #prisma: PrismaClient | undefined;

  constructor(
    connection: Connection,
    { announce, outside }: Pick<Client, 'announce' | 'outside'>,
    prismaOf: ReturnType<typeof prismaClients>,
    meter: Meter | undefined,
  ) {
    const { query, aside } = connection;
    const sending = (on: Send): Client['query'] => {
      const send: Client['query'] = (statement, values) => on(statement, [...values]);
      if (!meter) return send;
      return (statement, values) =>
        measured(meter, statement, (counting) => {
          const { memory } = meter;
          if (!memory) return send(counting ? { ...statement, ...counting } : statement, values);
          const { isLarge } = statement;
          return memory.read({ isInTransaction: aside !== undefined, isLarge }, (received) =>
            send({ ...statement, ...counting, received }, values),
          );
        });
    };
    this.announce = announce;
    this.outside = outside;
    this.query = sending(query);
    this.aside = aside && ((work) => aside((on) => work(sending(on))));
    const open = () => prismaOf(connection, meter);
    this.#open = open; // assigned from a variable; the comment on V8 at `sendQuery` explains why
  }

  get prisma(): PrismaClient {
    this.#prisma ??= this.#open();
    return this.#prisma;
  }
}

const pingQuery = statement('ping')`SELECT 1`;

/**
 * Creates the database on top of a driver.
 * @param readsOf creates the reads that use replicas; when absent, the primary serves all reads
 */
export function createDatabase(driver: Driver, readsOf?: (primary: PrimaryDatabase) => Reads): Database {
  const prismaOf = prismaClients();
  const announcements = createAnnouncements(driver.otherProcesses);
  const announceNow: Client['announce'] = async (topic) => {
    await driver.otherProcesses.notify(topic);
    announcements.notify([topic]);
  };

  const attempt = <T>(
    { left, seconds, writer }: { left: number; seconds: number; writer: string | undefined },
    meter: Meter | undefined,
    outside: Client['outside'],
    work: (client: Client) => Promise<T>,
  ): Promise<T> => {
    const announced = new Set<Topic>();
    const timed = async (connection: Connection): Promise<T> => {
      const { passed, clear } = deadline(left, timeoutMessage(seconds));
      const announce: Client['announce'] = async (topic) => void announced.add(topic);
      const client = new ConnectionClient(connection, { announce, outside }, prismaOf, meter);
      return Promise.race([work(client), passed]).finally(clear);
    };
    // Announcements are also sent after a failure, because a COMMIT whose response was lost may have taken effect.
    return driver
      .transaction(Math.ceil(left), timed, announced, writer)
      .finally(() => announcements.notify(announced));
  };

  const transactions =
    (meter: Meter | undefined): Session['transaction'] =>
    async (seconds, work, writer) => {
      const end = performance.now() + seconds * 1000;
      const { outside, finish } = outsideWork();
      for (let left = seconds * 1000, conflicts = 0; ; left = end - performance.now()) {
        if (left <= 0) throw new TimedOut(timeoutMessage(seconds));
        try {
          return await attempt({ left, seconds, writer }, meter, outside, work);
        } catch (error) {
          if (error instanceof WorkOutside) {
            await finish(error);
            continue;
          }
          conflicts += 1;
          if (conflicts === conflictAttempts || performance.now() > end || !isTransactionConflict(error))
            throw error;
        }
      }
    };

  const sessionOf = (meter?: Meter): Session =>
    Object.assign(new ConnectionClient(driver, { announce: announceNow, outside: atOnce }, prismaOf, meter), {
      transaction: transactions(meter),
    });

  const primary: PrimaryDatabase = Object.assign(sessionOf(), {
    announcements,
    isLost: driver.isLost,
    breaks: driver.breaks,
    breakOff: driver.breakOff,
    metered: sessionOf,
    apart: driver.apart,
    migrate: () =>
      untilLocked(() =>
        driver.exclusively(async (connection) => {
          await connection.script(limitLockWait);
          return migrate(connection);
        }),
      ),
  });
  const reads: Reads = readsOf?.(primary) ?? {
    run: (meter, _reader, work) => work(sessionOf(meter)),
    wrote: async () => {},
    servers: () => [],
    close: async () => {},
  };
  return Object.assign(primary, {
    reads,
    ping: () => reads.run(newMeter(), 'no caller', async ({ query }) => void (await query(pingQuery, []))),
    close: async () => {
      await reads.close();
      await prismaOf(driver).$disconnect();
      await driver.close();
    },
  });
}
