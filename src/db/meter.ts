import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlDriverAdapterFactory, SqlQueryable } from '@prisma/driver-adapter-utils';
import type { PrismaClient } from '../generated/prisma/client.ts';
import { overriding, overridingAdapters } from './adapters.ts';
import type { RequestMemory } from './memory-budget.ts';
import type { Statement } from './statement.ts';

/** A statement that was sent, without the values of its parameters. */
interface SentStatement {
  /** Empty where the server keeps no plan for it. */
  readonly name: string;
  readonly text: string;
  readonly milliseconds: number;
  /** Rows that it has found or changed; undefined when it has failed. */
  readonly rows: number | undefined;
}

/** What one request costs the database, as `Server-Timing` presents it. */
export interface Meter {
  statements: number;
  milliseconds: number;
  /** Milliseconds by which the search index was behind its searches. */
  searchDelay: number;
  /** Counts the rows that the request reads by SQL; absent where nothing limits them. */
  memory?: RequestMemory | undefined;
  /** Is called with each statement when it has ended. */
  onStatement?: (sent: SentStatement) => void;
}

export const newMeter = (): Meter => ({ statements: 0, milliseconds: 0, searchDelay: 0 });

type Counted = Pick<Statement, 'counted'>;

export async function measured<T>(
  meter: Meter,
  { name, text }: Statement,
  send: (counting?: Counted) => Promise<T>,
): Promise<T> {
  const { onStatement } = meter;
  meter.statements += 1;
  const start = performance.now();
  let rows: number | undefined;
  const counting = onStatement && {
    counted: (count: number) => {
      rows = count;
    },
  };
  try {
    return await send(counting);
  } finally {
    const milliseconds = performance.now() - start;
    meter.milliseconds += milliseconds;
    onStatement?.({ name, text, milliseconds, rows });
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

function counted<T>(sql: string, send: () => Promise<T>, rowsOf: (result: T) => number): Promise<T> {
  const meter = current.getStore();
  if (!meter || framing.test(sql)) return send();
  return measured(meter, { name: '', text: sql }, async (counting) => {
    const result = await send();
    counting?.counted?.(rowsOf(result));
    return result;
  });
}

const counting = (queryable: SqlQueryable): Pick<SqlQueryable, 'queryRaw' | 'executeRaw'> => ({
  queryRaw: (query) =>
    counted(
      query.sql,
      () => queryable.queryRaw(query),
      ({ rows }) => rows.length,
    ),
  executeRaw: (query) =>
    counted(
      query.sql,
      () => queryable.executeRaw(query),
      (count) => count,
    ),
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
