import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import type { Connection, Driver } from './database.ts';
import { createDatabaseFolder } from './embedded-folder.ts';
import { lockFolder } from './lock.ts';
import { serveSocket } from './socket.ts';
import { withinTransaction } from './within-transaction.ts';

/** Start-up says nothing of its progress: the timer for it would keep a stopping process alive. */
const startParams = [...PGlite.defaultStartParams, '-c', 'log_startup_progress_interval=0'];

/** Opens an embedded PostgreSQL: in a folder, or in memory from nothing or from a packed folder. */
export const openEmbedded = (from: { dataDir?: string; loadDataDir?: Blob } = {}): Promise<PGlite> =>
  PGlite.create({ ...from, startParams });

/** Transactions after which the embedded database looks after its tables, and between looks later on. */
const care = { first: 500, most: 20_000 };

/** The transaction that is open, as Prisma drives it: there is one connection, so it is always the same object. */
function openTransaction() {
  let current: Transaction | undefined;
  const within = (): Transaction => {
    if (!current) throw new Error('the transaction is over');
    return current;
  };
  const client = {
    query: (...args: Parameters<Transaction['query']>) => within().query(...args),
    exec: (...args: Parameters<Transaction['exec']>) => within().exec(...args),
  };
  return {
    adapter: withinTransaction(new PrismaPGlite(client as unknown as PGlite)),
    during: async <T>(transaction: Transaction, work: () => Promise<T>): Promise<T> => {
      current = transaction;
      return work().finally(() => {
        current = undefined;
      });
    },
  };
}

/** A driver over an embedded PostgreSQL that is already open. */
export function embeddedDriver(db: PGlite, letGo: () => void = () => {}): Driver {
  const { adapter, during } = openTransaction();
  let transactions = 0;
  let due = care.first;
  /** Nothing else renews its statistics and clears away old rows: plans made for a few rows would be kept for ever. */
  const lookAfter = async (): Promise<void> => {
    transactions += 1;
    if (transactions < due) return;
    due = transactions + Math.min(transactions, care.most);
    await db.exec('VACUUM ANALYZE');
  };
  return {
    adapter: new PrismaPGlite(db),
    query: async ({ text }, values) => (await db.query(text, values)).rows,
    // Statements run one at a time on the event loop's own thread: none can be ended from outside.
    transaction: async (_milliseconds, work) => {
      const result = await db.transaction((transaction) => {
        const query: Connection['query'] = async ({ text }, values) =>
          (await transaction.query(text, values)).rows;
        return during(transaction, () => work({ query, adapter }));
      });
      await lookAfter();
      return result;
    },
    exclusively: (work) => work(), // the folder's lock sees to that
    close: async () => {
      await db.close();
      letGo();
    },
  };
}

/** Where in a data folder the embedded database is. */
export const databaseFolder = (dataDir: string): string => join(dataDir, 'postgres');

/** An open data folder; letting go of it does not close the database. */
interface OpenFolder {
  readonly db: PGlite;
  readonly letGo: () => void;
}

/**
 * Opens the embedded PostgreSQL of a data folder, and creates it first where there is none.
 * @throws Unavailable when another process has the folder.
 */
export async function openFolder(dataDir: string): Promise<OpenFolder> {
  await mkdir(dataDir, { recursive: true });
  const letGo = lockFolder(dataDir);
  try {
    const folder = databaseFolder(dataDir);
    if (!existsSync(folder)) await createDatabaseFolder(folder);
    return { db: await openEmbedded({ dataDir: folder }), letGo };
  } catch (error) {
    letGo();
    throw error;
  }
}

/**
 * A driver over the embedded PostgreSQL of a data folder, which other programs may open too where a port is given.
 * @throws Unavailable when another process has the folder, or the port.
 */
export async function connectEmbedded(dataDir: string, port?: number): Promise<Driver> {
  const { db, letGo } = await openFolder(dataDir);
  const driver = embeddedDriver(db, letGo);
  if (port === undefined) return driver;
  try {
    const socket = await serveSocket(db, port);
    return {
      ...driver,
      close: async () => {
        await socket.close();
        await driver.close();
      },
    };
  } catch (error) {
    await driver.close();
    throw error;
  }
}
