import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlDriverAdapterFactory, SqlQueryable } from '@prisma/driver-adapter-utils';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { overriding, overridingAdapters } from './adapters.ts';

/** What one request costs the database, as `Server-Timing` presents it. */
export interface Meter {
  statements: number;
  milliseconds: number;
  /** Milliseconds by which the search index was behind its searches. */
  searchDelay: number;
}

export const newMeter = (): Meter => ({ statements: 0, milliseconds: 0, searchDelay: 0 });

export async function measured<T>(meter: Meter, send: () => Promise<T>): Promise<T> {
  meter.statements += 1;
  const start = performance.now();
  try {
    return await send();
  } finally {
    meter.milliseconds += performance.now() - start;
  }
}

/** The meter for the statements of a call of Prisma, which passes nothing of ours to its driver adapter. */
const current = new AsyncLocalStorage<Meter>();

let measuredCalls = 0;

// Runs a call of Prisma whose statements are counted on the meter. A storage that is in use hooks every
// promise of the process, which costs more than the code of most requests: it is in use only while such calls
// are under way.
async function measuredCall<T>(meter: Meter, call: () => Promise<T>): Promise<T> {
  measuredCalls += 1;
  try {
    return await current.run(meter, async () => call());
  } finally {
    measuredCalls -= 1;
    if (measuredCalls === 0) current.disable();
  }
}

export const meteredPrisma = (prisma: PrismaClient, meter: Meter): PrismaClient =>
  prisma.$extends({
    query: { $allOperations: ({ args, query }) => measuredCall(meter, () => query(args)) },
  }) as unknown as PrismaClient;

const framing = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b/i;

function counted<T>(sql: string, send: () => Promise<T>): Promise<T> {
  const meter = current.getStore();
  return meter && !framing.test(sql) ? measured(meter, send) : send();
}

const counting = (queryable: SqlQueryable): Pick<SqlQueryable, 'queryRaw' | 'executeRaw'> => ({
  queryRaw: (query) => counted(query.sql, () => queryable.queryRaw(query)),
  executeRaw: (query) => counted(query.sql, () => queryable.executeRaw(query)),
});

/** A driver adapter for Prisma whose statements are counted, inside transactions too. */
export const meteredAdapter = (factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory =>
  overridingAdapters(factory, (adapter) =>
    overriding(adapter, {
      ...counting(adapter),
      startTransaction: async (...level: Parameters<typeof adapter.startTransaction>) => {
        const transaction = await adapter.startTransaction(...level);
        return overriding(transaction, counting(transaction));
      },
    }),
  );
