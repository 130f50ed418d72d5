import pLimit from 'p-limit';
import type pg from 'pg';
import { Unavailable } from '../errors.ts';
import { connectionTimeout } from './database.ts';
import type { Connection, Send } from './driver.ts';
import {
  begin,
  isQueryTimeout,
  nameWriter,
  type PreparedCall,
  sendQuery,
  sendStatement,
} from './pg/send-query.ts';
import { type prismaAdapters, type QueryOfPrisma, withinTransaction } from './prisma.ts';

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

/** Sends a statement; the first one of a transaction leaves behind those that begin it. */
type Sending<T> = (before?: readonly PreparedCall[]) => Promise<T>;

interface Pinned {
  readonly connection: Connection;
  /**
   * @param milliseconds that each statement may last; undefined for the usual time.
   * @param writer as of `Driver.transaction`.
   */
  readonly begin: (milliseconds: number | undefined, writer: string | undefined) => Promise<void>;
  /** @param sql what is sent before, which may be empty. */
  readonly commit: (sql: string, milliseconds: number) => Promise<void>;
  readonly rollBack: () => Promise<unknown>;
  /** A transaction has failed: what its work still sends is refused, since the next one may have begun. */
  readonly end: () => void;
}

/** A connection of the pool as transactions use it: the same object until one of them fails. */
export function pinned(adapterFor: ReturnType<typeof prismaAdapters>): (client: pg.PoolClient) => Pinned {
  const all = new WeakMap<pg.PoolClient, Pinned>();
  const pin = (client: pg.PoolClient): Pinned => {
    let isOver = false;
    const prepared = new Set<string>();
    let due: readonly PreparedCall[] = [];
    let workedAt = Number.NEGATIVE_INFINITY;
    const end = (): void => {
      isOver = true;
      all.delete(client);
    };
    const beginWith = async <T>(send: Sending<T>): Promise<T> => {
      const calls = due;
      due = [];
      let isTrusted = performance.now() < workedAt + trust;
      let before: PreparedCall[] = [];
      try {
        for (const call of calls) {
          if (isTrusted && prepared.has(call.name)) before.push(call);
          else {
            await sendQuery(client, call, call.values, connectionTimeout, before);
            prepared.add(call.name);
            before = [];
            isTrusted = true;
          }
        }
        return await send(before);
      } catch (error) {
        end(); // what waits for its turn would be sent outside of a transaction if BEGIN has failed
        throw error;
      }
    };
    const beginning = <T>(send: Sending<T>): Promise<T> => (due.length > 0 ? beginWith(send) : send());
    const isUnbegun = (): boolean => due[0] === begin;
    // Loaders send several statements at once: `pg` will refuse queries on a busy connection.
    const oneAtATime = pLimit(1);
    const inTurn = <T>(send: () => Promise<T>): Promise<T> =>
      oneAtATime(() => (isOver ? Promise.reject(new Error('the transaction has ended')) : send()));
    const send: Send = (statement, values) =>
      beginning((before) => sendStatement(client, statement, values, undefined, before));
    const queryOfPrisma: QueryOfPrisma = (query, values) =>
      inTurn(() => beginning((before) => sendQuery(client, query, values, undefined, before)));
    const connection: Connection = {
      query: (statement, values) => inTurn(() => send(statement, values)),
      aside: (work) =>
        inTurn(async () => {
          await beginning((before) => sendQuery(client, 'SAVEPOINT aside', undefined, undefined, before));
          try {
            return await work(send);
          } finally {
            await sendQuery(client, 'ROLLBACK TO aside; RELEASE aside');
          }
        }),
      adapter: withinTransaction(adapterFor(queryOfPrisma)),
    };
    return {
      connection,
      begin: async (milliseconds, writer) => {
        const named = writer === undefined ? [] : [nameWriter(writer)];
        due = milliseconds === undefined ? [begin, ...named] : named;
        if (milliseconds === undefined) return;
        const limited = `BEGIN; SET LOCAL statement_timeout = ${milliseconds}`;
        await sendQuery(client, limited, undefined, connectionTimeout);
        workedAt = performance.now();
      },
      commit: async (sql, milliseconds) => {
        const text = isUnbegun() ? sql : `${sql}COMMIT`;
        due = [];
        if (text === '') return;
        await commit(client, text, milliseconds);
        workedAt = performance.now();
      },
      rollBack: async () => isUnbegun() || client.query('ROLLBACK'),
      end,
    };
  };
  return (client) => {
    const known = all.get(client) ?? pin(client);
    all.set(client, known);
    return known;
  };
}
