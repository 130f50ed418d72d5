import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { TimedOut } from '../errors.ts';
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts';
import { isCollision } from './errors.ts';
import { measured, meteredAdapter } from './meter.ts';
import { applyMigrations, missingSql } from './schema-engine.ts';

/** A statement whose plan the server may keep: the name stands for the text, so the text is a constant. */
export interface Query {
  readonly name: string;
  readonly text: string;
}

/** How reads and writes reach the database: the pool, or one transaction of it. */
export interface Client {
  readonly prisma: Prisma.TransactionClient;
  /** One hot read, past Prisma's query builder; columns are named as Prisma's models name them. */
  read<Row>(query: Query, values: readonly unknown[]): Promise<Row[]>;
}

/** What a kind of database brings; everything else is the same for all. */
export interface Driver {
  readonly adapter: SqlMigrationAwareDriverAdapterFactory;
  /** The adapter with which the schema engine can read what tables there are, where the usual one does not do. */
  readonly describing?: SqlMigrationAwareDriverAdapterFactory;
  query(query: Query, values: unknown[]): Promise<unknown[]>;
  /** Runs work that only one of several processes on this database may do at a time. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Seconds after which it ends a statement unless a transaction asks otherwise; absent where none can be ended. */
  readonly statementTimeout?: number;
  close(): Promise<void>;
}

export interface Database extends Client {
  /**
   * Runs work in one transaction, rolled back when it throws or lasts longer than `seconds`. Where another one
   * stood in its way, the work is run again: what it does besides must bear that.
   * On the embedded database, work that reaches for another client waits for itself: use the one given.
   * @throws TimedOut
   */
  transaction<T>(seconds: number, work: (client: Client) => Promise<T>): Promise<T>;
  /** Brings the tables up to date and names the migrations that were missing; safe in several processes at once. */
  migrate(): Promise<string[]>;
  /** The SQL by which the tables differ from `schema.prisma`; empty when migrations and schema agree. */
  drift(): Promise<string>;
  exclusively: Driver['exclusively'];
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

/** The one database of a process, over whichever driver. */
export function createDatabase(driver: Driver): Database {
  const prisma = new PrismaClient({ adapter: meteredAdapter(driver.adapter) });

  const within = (tx: Prisma.TransactionClient): Client => ({
    prisma: tx,
    read: <Row>({ text }: Query, values: readonly unknown[]) => tx.$queryRawUnsafe<Row[]>(text, ...values),
  });

  /** Runs a transaction that may last so many milliseconds of the seconds that it was given. */
  const once = <T>(left: number, seconds: number, work: (client: Client) => Promise<T>): Promise<T> =>
    prisma.$transaction(
      async (tx) => {
        const message = `the transaction took longer than ${seconds} s and was rolled back`;
        const { passed, clear } = deadline(left, message);
        try {
          if (driver.statementTimeout !== undefined && left !== driver.statementTimeout * 1000) {
            await tx.$executeRawUnsafe(`SET LOCAL statement_timeout = ${Math.ceil(left)}`);
          }
          return await Promise.race([work(within(tx)), passed]);
        } finally {
          clear();
        }
      },
      // Prisma's own limit only backs ours up: its error says less.
      { maxWait: connectionWait, timeout: left + 1000 },
    );

  return {
    prisma,
    read: async <Row>(query: Query, values: readonly unknown[]) =>
      (await measured(query.text, () => driver.query(query, [...values]))) as Row[],
    transaction: async (seconds, work) => {
      const end = performance.now() + seconds * 1000;
      for (let left = seconds * 1000, trial = 1; ; left = end - performance.now(), trial += 1) {
        try {
          return await once(left, seconds, work);
        } catch (error) {
          if (trial === tries || performance.now() > end || !isCollision(error)) throw error;
        }
      }
    },
    migrate: () => driver.exclusively(() => applyMigrations(driver.adapter)),
    drift: () => missingSql(driver.describing ?? driver.adapter),
    exclusively: (work) => driver.exclusively(work),
    close: async () => {
      await prisma.$disconnect();
      await driver.close();
    },
  };
}
