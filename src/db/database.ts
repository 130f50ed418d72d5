import { TimedOut } from '../errors.ts';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { type Announcements, createAnnouncements, type Topic } from './announcements.ts';
import type { Connection, Driver, Send } from './driver.ts';
import { isTransactionConflict, WorkOutside } from './errors.ts';
import { type Meter, measured, newMeter } from './meter.ts';
import { migrate } from './migrate.ts';
import { prismaClients } from './prisma.ts';
import type { Carried } from './replicas/position.ts';
import { type Querying, statement } from './statement.ts';

export interface Client extends Querying {
  readonly prisma: PrismaClient;
  /**
   * Announces a change to this process and every other one: outside of a transaction at once, else when it is
   * committed, before `transaction` resolves.
   */
  announce(topic: Topic): Promise<void>;
  /**
   * Does work that takes long and must hold neither a connection nor locks, such as hashing a password. In a
   * transaction, the first call of a key rolls it back, does the work, and runs the transaction again, in which
   * the call answers what the work did. Only the first few keys of a transaction are treated like this: each
   * repeats all that the transaction has done before.
   * @param key names the work and all that it depends on.
   */
  outside<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Present in a transaction: runs statements next to each other, and undoes what they wrote and locked. */
  readonly aside?: (<T>(work: (query: Client['query']) => Promise<T>) => Promise<T>) | undefined;
  /** Present where this reads from a replica, which may lack what others have written. */
  readonly replica?: { readonly wroteAt: number };
}

/** Whose reads and writes follow each other. */
interface ReadingCaller {
  readonly user: string;
  /** What the caller brings along from other processes, and takes away. */
  readonly carried?: Carried | undefined;
}

/** Without a caller, as for credentials, a read finds what was announced, and perhaps no more. */
export type Reader = ReadingCaller | 'no caller';

export interface ReadServer {
  readonly name: string;
  /** How many reads it has answered. */
  readonly reads: number;
  /** Absent for the primary; milliseconds, undefined while it does not answer. */
  readonly replica?: { readonly lag: number | undefined; readonly isUsed: boolean };
}

/** Reads that need no transaction, on whichever server has what the caller has written and seen. */
export interface Reads {
  /** The work may be done twice: on the primary, after a replica has failed. */
  run<T>(meter: Meter, reader: Reader, work: (client: Client) => Promise<T>): Promise<T>;
  /** To be called when a write of the caller has been committed, and before it is answered. */
  wrote(caller: ReadingCaller): Promise<void>;
  servers(): readonly ReadServer[];
  close(): Promise<void>;
}

export interface Session extends Client {
  /**
   * Runs work in one transaction, which is rolled back when the work throws or lasts longer than `seconds`.
   * After a conflict with another transaction the work is run again.
   * @param writer the user whose writes they are: searches of others do not wait for the large documents among them.
   * @throws TimedOut
   */
  transaction<T>(seconds: number, work: (client: Client) => Promise<T>, writer?: string): Promise<T>;
}

/** On the primary, but for `reads`. */
export interface Database extends Session {
  metered(meter: Meter): Session;
  readonly apart: Driver['apart'];
  migrate(): Promise<string[]>;
  /** @throws when no server answers reads. */
  ping(): Promise<void>;
  readonly announcements: Announcements;
  readonly isLost: Driver['isLost'];
  readonly breaks: Driver['breaks'];
  readonly breakOff: Driver['breakOff'];
  readonly reads: Reads;
  close(): Promise<void>;
}

export type PrimaryDatabase = Omit<Database, 'reads' | 'ping' | 'close'>;

/** Milliseconds to wait for a free connection before the database counts as unavailable. */
export const connectionTimeout = 10_000;

const conflictAttempts = 4;

/** How often a transaction is run again for work outside of it; further work is done within it. */
const maxOutside = 10;

const atOnce: Client['outside'] = (_key, work) => work();

interface OutsideWork {
  readonly outside: Client['outside'];
  /** Does the work for which a transaction has ended, whether it succeeds or fails. */
  readonly finish: (end: WorkOutside) => Promise<void>;
}

/** The work outside of one transaction, in all attempts to run it. */
function outsideWork(): OutsideWork {
  const done = new Map<string, Promise<unknown>>();
  const settle = async (of: Promise<unknown>): Promise<void> => {
    await of.catch(() => {}); // the next attempt throws the error where it asks for the work
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
  `the transaction took longer than ${seconds} s and was rolled back`;

function deadline(milliseconds: number, message: string): { passed: Promise<never>; clear: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimedOut(message)), milliseconds);
  });
  return { passed, clear: () => clearTimeout(timer) };
}

/** A class: getters in a literal would give each client a hidden class, kept until a full collection. */
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
    this.#open = open; // directly assigned, V8 would put it among old objects: see `sendQuery`
  }

  get prisma(): PrismaClient {
    this.#prisma ??= this.#open();
    return this.#prisma;
  }
}

const pingQuery = statement('ping')`SELECT 1`;

/** @param readsOf the primary alone answers reads when absent. */
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
    // After a failure, too: a COMMIT whose answer was lost may have been done.
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
    migrate: () => driver.exclusively((connection) => migrate(connection)),
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
