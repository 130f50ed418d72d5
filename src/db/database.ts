import type { SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { TimedOut } from '../errors.ts';
import { type Prisma, PrismaClient } from '../generated/prisma/client.ts';
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
  query(query: Query, values: unknown[]): Promise<unknown[]>;
  /** Runs work that only one of several processes on this database may do at a time. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Seconds after which it ends a statement unless a transaction asks otherwise; absent where none can be ended. */
  readonly statementTimeout?: number;
  close(): Promise<void>;
}

export interface Database extends Client {
  /**
   * Runs work in one transaction, rolled back when it throws or lasts longer than `seconds`.
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

/** Rejects after the time given; the transaction that awaits it is rolled back then. */
function deadline(seconds: number): { passed: Promise<never>; clear: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new TimedOut(`the transaction took longer than ${seconds} s and was rolled back`)),
      seconds * 1000,
    );
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

  return {
    prisma,
    read: async <Row>(query: Query, values: readonly unknown[]) =>
      (await measured(query.text, () => driver.query(query, [...values]))) as Row[],
    transaction: (seconds, work) =>
      prisma.$transaction(
        async (tx) => {
          const { passed, clear } = deadline(seconds);
          try {
            if (driver.statementTimeout !== undefined && seconds !== driver.statementTimeout) {
              await tx.$executeRawUnsafe(`SET LOCAL statement_timeout = ${Math.ceil(seconds * 1000)}`);
            }
            return await Promise.race([work(within(tx)), passed]);
          } finally {
            clear();
          }
        },
        // Prisma's own limit only backs ours up: its error says less.
        { maxWait: connectionWait, timeout: seconds * 1000 + 1000 },
      ),
    migrate: () => driver.exclusively(() => applyMigrations(driver.adapter)),
    drift: () => missingSql(driver.adapter),
    exclusively: (work) => driver.exclusively(work),
    close: async () => {
      await prisma.$disconnect();
      await driver.close();
    },
  };
}
