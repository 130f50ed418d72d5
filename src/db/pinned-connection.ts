import { PrismaPg } from '@prisma/adapter-pg';
import pLimit from 'p-limit';
import type pg from 'pg';
import { Unavailable } from '../errors.ts';
import { overriding, withinTransaction } from './adapters.ts';
import { connectionTimeout } from './database.ts';
import type { Connection, Send } from './driver.ts';
import { begin, isQueryTimeout, sendQuery, sendStatement } from './send-query.ts';

type PrismaPgOptions = NonNullable<ConstructorParameters<typeof PrismaPg>[1]>;

/** Milliseconds that a COMMIT has at least: a synchronous standby may keep it waiting without a limit. */
const leastCommitTime = 10_000;

/** @throws Unavailable when no answer arrives in time. */
const commit = (client: pg.PoolClient, text: string, milliseconds: number): Promise<unknown> =>
  sendQuery(client, text, undefined, Math.max(milliseconds, leastCommitTime)).catch((error: unknown) => {
    if (!isQueryTimeout(error)) throw error;
    throw new Unavailable('the database did not confirm the write in time: it may have been done, or not', {
      cause: error,
    });
  });

/** Milliseconds for which an answer proves that a connection works: after that, BEGIN asks it alone. */
const trust = 1_000;

interface Pinned {
  readonly connection: Connection;
  /** @param milliseconds that each statement may last; undefined for the usual time. */
  readonly begin: (milliseconds: number | undefined) => Promise<void>;
  /** @param sql what is sent before, which may be empty. */
  readonly commit: (sql: string, milliseconds: number) => Promise<void>;
  readonly rollBack: () => Promise<unknown>;
  /** A transaction has failed: what its work still sends is refused, since the next one may have begun. */
  readonly end: () => void;
}

/** A connection of the pool as transactions use it: the same object until one of them fails. */
export function pinned(pool: pg.Pool, options: PrismaPgOptions): (client: pg.PoolClient) => Pinned {
  const all = new WeakMap<pg.PoolClient, Pinned>();
  const pin = (client: pg.PoolClient): Pinned => {
    let isOver = false;
    let [isPrepared, isDue] = [false, false]; // BEGIN
    let workedAt = Number.NEGATIVE_INFINITY;
    const takeDue = (): boolean => {
      const wasDue = isDue;
      isDue = false;
      return wasDue;
    };
    const beginNow = async (): Promise<void> => {
      await sendQuery(client, begin, [], connectionTimeout);
      isPrepared = true;
    };
    // Loaders send several statements at once: `pg` will refuse queries on a busy connection.
    const oneAtATime = pLimit(1);
    const inTurn = <T>(send: () => Promise<T>): Promise<T> =>
      oneAtATime(() => (isOver ? Promise.reject(new Error('the transaction has ended')) : send()));
    const send: Send = (statement, values) =>
      sendStatement<unknown>(client, statement, values, undefined, takeDue());
    const query = (config: pg.QueryArrayConfig, values?: unknown[]) =>
      inTurn(() => sendQuery(client, config, values, undefined, takeDue()));
    // Prisma would add a listener to the pool for every connection; the pool has a listener of ours.
    const single = overriding(pool, { query, on: () => single, removeListener: () => single }) as pg.Pool;
    const connection: Connection = {
      query: (statement, values) => inTurn(() => send(statement, values)),
      aside: (work) =>
        inTurn(async () => {
          if (takeDue()) await beginNow();
          await sendQuery(client, 'SAVEPOINT aside');
          try {
            return await work(send);
          } finally {
            await sendQuery(client, 'ROLLBACK TO aside; RELEASE aside');
          }
        }),
      adapter: withinTransaction(new PrismaPg(single, options)),
    };
    const end = (): void => {
      isOver = true;
      all.delete(client);
    };
    return {
      connection,
      begin: async (milliseconds) => {
        if (milliseconds !== undefined) {
          const limited = `BEGIN; SET LOCAL statement_timeout = ${milliseconds}`;
          await sendQuery(client, limited, undefined, connectionTimeout);
        } else if (isPrepared && performance.now() < workedAt + trust) isDue = true;
        else await beginNow();
      },
      commit: async (sql, milliseconds) => {
        const isEmpty = takeDue();
        if (!isEmpty) await commit(client, `${sql}COMMIT`, milliseconds);
        else if (sql) await commit(client, sql, milliseconds);
        workedAt = performance.now();
      },
      rollBack: async () => takeDue() || client.query('ROLLBACK'),
      end,
    };
  };
  return (client) => {
    const known = all.get(client) ?? pin(client);
    all.set(client, known);
    return known;
  };
}
