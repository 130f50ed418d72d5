import type {
  SqlDriverAdapterFactory,
  SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import { TimedOut } from '../errors.ts';
import { PrismaClient } from '../generated/prisma/client.ts';
import { type Announcements, createAnnouncements, type Listen, type Topic } from './announcements.ts';
import { isCollision } from './errors.ts';
import { type Meter, measured, meteredAdapter, meteredPrisma } from './meter.ts';
import { migrate } from './migrate.ts';

/** A statement whose plan the server may keep: the name stands for the text, so the text is a constant. */
export interface Query {
  readonly name: string;
  readonly text: string;
  /** Found by a key and answered at once: it may share a connection with those of other requests. */
  readonly isQuick?: true;
}

/** How reads and writes reach the database: the pool, or one transaction of it. */
export interface Client {
  readonly prisma: PrismaClient;
  /** One hot statement, past Prisma's query builder; columns are named as Prisma's models name them. */
  query<Row>(query: Query, values: readonly unknown[]): Promise<Row[]>;
  /**
   * Says that something has changed, to this process and every other: once the transaction is committed, before
   * `transaction` resolves; at once outside of one.
   */
  announce(topic: Topic): Promise<void>;
}

type Send = (query: Query, values: unknown[]) => Promise<unknown[]>;

/** One connection, between BEGIN and COMMIT. */
export interface Connection {
  readonly query: Send;
  /** The same connection as Prisma drives it; the same object whenever it is the same connection. */
  readonly adapter: SqlDriverAdapterFactory;
}

/** What a kind of database brings; everything else is the same for all. */
export interface Driver {
  readonly adapter: SqlMigrationAwareDriverAdapterFactory;
  /** The adapter for the schema engine, where the usual one does not do. */
  readonly schemaAdapter?: SqlMigrationAwareDriverAdapterFactory;
  readonly query: Send;
  /**
   * Runs work in a transaction, none of whose statements may last longer than so many milliseconds; other processes
   * hear of the topics that are in the set when the work is done.
   */
  transaction<T>(
    milliseconds: number,
    work: (connection: Connection) => Promise<T>,
    announced: ReadonlySet<string>,
  ): Promise<T>;
  /** Where other processes may work on the same database: how word goes to them, and comes from them. */
  readonly others?: { tell(topic: string): Promise<void>; readonly listen: Listen };
  /** Runs work that only one of several processes on this database may do at a time. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A client of the pool, which can open transactions. */
export interface Session extends Client {
  /**
   * Runs work in one transaction, rolled back when it throws or lasts longer than `seconds`. Where another one
   * stood in its way, the work is run again: what it does besides must bear that.
   * On the embedded database, work that reaches for another client waits for itself: use the one given.
   * @throws TimedOut
   */
  transaction<T>(seconds: number, work: (client: Client) => Promise<T>): Promise<T>;
}

export interface Database extends Session {
  /** The same database for one request: every statement is counted on the meter. */
  metered(meter: Meter): Session;
  /** Brings the tables up to date and names the migrations that were missing; safe in several processes at once. */
  migrate(): Promise<string[]>;
  /** The SQL by which the tables differ from `schema.prisma`; empty when migrations and schema agree. */
  drift(): Promise<string>;
  exclusively: Driver['exclusively'];
  readonly announcements: Announcements;
  close(): Promise<void>;
}

/** Waiting for a free connection, in milliseconds, before the database counts as unavailable. */
export const connectionWait = 10_000;

/** How often a transaction is run that another one stands in the way of. */
const tries = 4;

/** Rejects after the time given; the transaction that awaits it is rolled back then. */
function deadline(milliseconds: number, message: string): { passed: Promise<never>; clear: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimedOut(message)), milliseconds);
  });
  return { passed, clear: () => clearTimeout(timer) };
}

/** Prisma over each connection that ever asked for it; most transactions do without. */
function prismaOver(): (adapter: SqlDriverAdapterFactory) => PrismaClient {
  const clients = new WeakMap<SqlDriverAdapterFactory, PrismaClient>();
  return (adapter) => {
    const known = clients.get(adapter) ?? new PrismaClient({ adapter: meteredAdapter(adapter) });
    clients.set(adapter, known);
    return known;
  };
}

/** One connection, or a pool of them, as it is worked with; statements are counted where there is a meter. */
function clientOf(
  { query, adapter }: Connection,
  announce: Client['announce'],
  prismaOf: ReturnType<typeof prismaOver>,
  meter: Meter | undefined,
): Client {
  let prisma: PrismaClient | undefined;
  const send = <Row>(statement: Query, values: readonly unknown[]) =>
    query(statement, [...values]) as Promise<Row[]>;
  return {
    announce,
    get prisma() {
      prisma ??= meter ? meteredPrisma(prismaOf(adapter), meter) : prismaOf(adapter);
      return prisma;
    },
    query: meter ? (...asked) => measured(meter, () => send(...asked)) : send,
  };
}

/** The one database of a process, over whichever driver. */
export function createDatabase(driver: Driver): Database {
  const prismaOf = prismaOver();
  const announcements = createAnnouncements(driver.others?.listen);
  const tellAll: Client['announce'] = async (topic) => {
    await driver.others?.tell(topic);
    announcements.tell([topic]);
  };

  /** Runs a transaction that may last so many milliseconds of the seconds that it was given. */
  const once = <T>(
    { left, seconds }: { left: number; seconds: number },
    meter: Meter | undefined,
    work: (client: Client) => Promise<T>,
  ): Promise<T> => {
    const announced = new Set<Topic>();
    const timed = async (connection: Connection): Promise<T> => {
      const message = `the transaction took longer than ${seconds} s and was rolled back`;
      const { passed, clear } = deadline(left, message);
      const announce: Client['announce'] = async (topic) => void announced.add(topic);
      const inside = clientOf(connection, announce, prismaOf, meter);
      return Promise.race([work(inside), passed]).finally(clear);
    };
    // Whatever becomes of it: a COMMIT whose answer was lost may have been done.
    return driver.transaction(Math.ceil(left), timed, announced).finally(() => announcements.tell(announced));
  };

  const transactions =
    (meter: Meter | undefined): Session['transaction'] =>
    async (seconds, work) => {
      const end = performance.now() + seconds * 1000;
      for (let left = seconds * 1000, trial = 1; ; left = end - performance.now(), trial += 1) {
        try {
          return await once({ left, seconds }, meter, work);
        } catch (error) {
          if (trial === tries || performance.now() > end || !isCollision(error)) throw error;
        }
      }
    };

  const sessionOf = (meter?: Meter): Session =>
    Object.assign(clientOf(driver, tellAll, prismaOf, meter), { transaction: transactions(meter) });

  return Object.assign(sessionOf(), {
    announcements,
    metered: sessionOf,
    migrate: () => driver.exclusively(() => migrate(driver)),
    drift: async () => {
      const { missingSql } = await import('./schema-engine.ts');
      return missingSql(driver.schemaAdapter ?? driver.adapter);
    },
    exclusively: <T>(work: () => Promise<T>) => driver.exclusively(work),
    close: async () => {
      await prismaOf(driver.adapter).$disconnect();
      await driver.close();
    },
  });
}
