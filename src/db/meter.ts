import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlDriverAdapterFactory, SqlQueryable } from '@prisma/driver-adapter-utils';

/** What one request costs the database; shown in `Server-Timing`. */
export interface Meter {
  statements: number;
  milliseconds: number;
}

const current = new AsyncLocalStorage<Meter>();

/** Runs work whose statements are counted on the meter, wherever below it they are sent. */
export const withMeter = <T>(meter: Meter, work: () => T): T => current.run(meter, work);

/** BEGIN, SET and COMMIT frame the work and are none of it. */
const framing = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b/i;

/** Sends one statement, counted on the meter of the request that wants it. */
export async function measured<T>(sql: string, send: () => Promise<T>): Promise<T> {
  const meter = current.getStore();
  if (!meter || framing.test(sql)) return send();
  meter.statements += 1;
  const start = performance.now();
  try {
    return await send();
  } finally {
    meter.milliseconds += performance.now() - start;
  }
}

/** The same connection, its statements measured; everything else is inherited. */
function meteredQueryable<Queryable extends SqlQueryable>(queryable: Queryable): Queryable {
  const methods: SqlQueryable = {
    provider: queryable.provider,
    adapterName: queryable.adapterName,
    queryRaw: (query) => measured(query.sql, () => queryable.queryRaw(query)),
    executeRaw: (query) => measured(query.sql, () => queryable.executeRaw(query)),
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
