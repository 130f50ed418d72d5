import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlDriverAdapterFactory, SqlQueryable } from '@prisma/driver-adapter-utils';
import type { PrismaClient } from '../generated/prisma/client.ts';

/** What one request costs the database; shown in `Server-Timing`. */
export interface Meter {
  statements: number;
  milliseconds: number;
}

export const newMeter = (): Meter => ({ statements: 0, milliseconds: 0 });

/** Sends one statement, counted on the meter of the request that wants it. */
export async function measured<T>(meter: Meter, send: () => Promise<T>): Promise<T> {
  meter.statements += 1;
  const start = performance.now();
  try {
    return await send();
  } finally {
    meter.milliseconds += performance.now() - start;
  }
}

/** Whose statements Prisma sends: it hands nothing of ours down to its driver adapter. */
const current = new AsyncLocalStorage<Meter>();

/** Operations of Prisma under way that are measured. */
let underWay = 0;

/**
 * Runs an operation of Prisma whose statements are counted on the meter. A storage that is in use hooks every promise
 * of the process, which costs more than most requests' own code: it is in use while Prisma works, and no longer.
 */
async function following<T>(meter: Meter, operation: () => Promise<T>): Promise<T> {
  underWay += 1;
  try {
    return await current.run(meter, async () => operation());
  } finally {
    underWay -= 1;
    if (underWay === 0) current.disable();
  }
}

/** The same Prisma for one request: its statements are counted on the meter. */
export const meteredPrisma = (prisma: PrismaClient, meter: Meter): PrismaClient =>
  prisma.$extends({
    query: { $allOperations: ({ args, query }) => following(meter, () => query(args)) },
  }) as unknown as PrismaClient;

/** BEGIN, SET and COMMIT frame the work and are none of it. */
const framing = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b/i;

function followed<T>(sql: string, send: () => Promise<T>): Promise<T> {
  const meter = current.getStore();
  return meter && !framing.test(sql) ? measured(meter, send) : send();
}

/** The same connection, its statements measured; everything else is inherited. */
function meteredQueryable<Queryable extends SqlQueryable>(queryable: Queryable): Queryable {
  const methods: SqlQueryable = {
    provider: queryable.provider,
    adapterName: queryable.adapterName,
    queryRaw: (query) => followed(query.sql, () => queryable.queryRaw(query)),
    executeRaw: (query) => followed(query.sql, () => queryable.executeRaw(query)),
  };
  return Object.assign(Object.create(queryable), methods);
}

/** A driver adapter for Prisma whose statements are measured, inside transactions too. */
export function meteredAdapter(factory: SqlDriverAdapterFactory): SqlDriverAdapterFactory {
  return {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => {
      const adapter = await factory.connect();
      return Object.assign(meteredQueryable(adapter), {
        startTransaction: async (...level: Parameters<typeof adapter.startTransaction>) =>
          meteredQueryable(await adapter.startTransaction(...level)),
      });
    },
  };
}
