import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PGlite, type Transaction } from '@electric-sql/pglite';
import { PrismaPGlite } from 'pglite-prisma-adapter';
import { withinTransaction } from './adapters.ts';
import type { Connection, Driver } from './database.ts';
import { createDatabaseFolder } from './embedded-folder.ts';
import { serveSocket } from './embedded-socket.ts';
import { lockFolder } from './folder-lock.ts';

/** Start-up logs no progress: its timer would keep a stopping process alive. */
const startParams = [...PGlite.defaultStartParams, '-c', 'log_startup_progress_interval=0'];

export const openEmbedded = (from: { dataDir?: string; loadDataDir?: Blob } = {}): Promise<PGlite> =>
  PGlite.create({ ...from, startParams });

const transactionsBetweenVacuums = { first: 500, limit: 20_000 };

/** The open transaction as Prisma's client. There is one connection, so it is always the same object. */
function openTransaction() {
  let current: Transaction | undefined;
  const transactionNow = (): Transaction => {
    if (!current) throw new Error('the transaction is over');
    return current;
  };
  const client = {
    query: (...args: Parameters<Transaction['query']>) => transactionNow().query(...args),
    exec: (...args: Parameters<Transaction['exec']>) => transactionNow().exec(...args),
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

export function embeddedDriver(db: PGlite, unlock: () => void = () => {}): Driver {
  const { adapter, during } = openTransaction();
  let transactions = 0;
  let due = transactionsBetweenVacuums.first;
  /** There is no autovacuum: without this, plans made for a few rows would be kept for a million. */
  const vacuum = async (): Promise<void> => {
    transactions += 1;
    if (transactions < due) return;
    due = transactions + Math.min(transactions, transactionsBetweenVacuums.limit);
    await db.exec('VACUUM ANALYZE');
  };
  return {
    adapter: new PrismaPGlite(db),
    query: async ({ text }, values) => (await db.query(text, values)).rows,
    script: async (sql) => void (await db.exec(sql)),
    // Statements run on the thread of the event loop: no time limit could end one.
    transaction: async (_milliseconds, work) => {
      const result = await db.transaction((transaction) => {
        const query: Connection['query'] = async ({ text }, values) =>
          (await transaction.query(text, values)).rows;
        return during(transaction, () => work({ query, adapter }));
      });
      await vacuum();
      return result;
    },
    exclusively: (work) => work(), // the lock of the folder keeps other processes out
    close: async () => {
      await db.close();
      unlock();
    },
  };
}

export const databaseFolder = (dataDir: string): string => join(dataDir, 'postgres');

interface OpenFolder {
  readonly db: PGlite;
  readonly unlock: () => void;
}

/**
 * Opens the embedded PostgreSQL of a data folder, and creates it first where there is none.
 * @throws Unavailable when another process uses the folder.
 */
export async function openDataFolder(dataDir: string): Promise<OpenFolder> {
  await mkdir(dataDir, { recursive: true });
  const unlock = lockFolder(dataDir);
  try {
    const folder = databaseFolder(dataDir);
    if (!existsSync(folder)) await createDatabaseFolder(folder);
    return { db: await openEmbedded({ dataDir: folder }), unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * A driver over the embedded PostgreSQL of a data folder; other programs may connect to the port, if one is
 * given.
 * @throws Unavailable when another process uses the folder, or the port.
 */
export async function connectEmbedded(dataDir: string, port?: number): Promise<Driver> {
  const { db, unlock } = await openDataFolder(dataDir);
  const driver = embeddedDriver(db, unlock);
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
