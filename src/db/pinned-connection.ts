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

/**
 * The minimum timeout of a COMMIT in milliseconds. It is needed because a COMMIT can wait indefinitely for a
 * synchronous standby.
 */
const minCommitTimeout = 10_000;

/**
 * Sends a COMMIT.
 * @throws Unavailable if the response does not arrive in time; the COMMIT may have taken effect nevertheless
 */
const commit = (client: pg.PoolClient, text: string, milliseconds: number): Promise<unknown> =>
  sendQuery(client, text, undefined, Math.max(milliseconds, minCommitTimeout)).catch((error: unknown) => {
    if (!isQueryTimeout(error)) throw error;
    throw new Unavailable(
      'The database did not confirm the write in time. The write may or may not have taken effect.',
      {
        cause: error,
      },
    );
  });

/**
 * How long a response counts as proof that a connection works, in milliseconds. After that, BEGIN is sent separately,
 * before the first statement.
 */
const trust = 1_000;

/**
 * Sends a statement. The first statement of a transaction is sent in one packet with the statements that begin the
 * transaction.
 */
type Sending<T> = (before?: readonly PreparedCall[]) => Promise<T>;

interface Pinned {
  readonly connection: Connection;
  /**
   * Begins a transaction.
   * @param milliseconds the timeout of each statement; undefined for the connection's default
   * @param writer the parameter of `Driver.transaction`
   */
  readonly begin: (milliseconds: number | undefined, writer: string | undefined) => Promise<void>;
  /**
   * Commits the transaction.
   * @param sql statements to send before COMMIT; can be empty
   */
  readonly commit: (sql: string, milliseconds: number) => Promise<void>;
  readonly rollBack: () => Promise<unknown>;
  /**
   * Detaches a failed transaction from the connection. Any further statements from the transaction's code are rejected.
   */
  readonly end: () => void;
}

/**
 * Returns a function that creates the object through which transactions use a pooled connection. A connection keeps its
 * object, and with it the Prisma Client, until a transaction fails. After a failure, the connection gets a new object,
 * so that code of the failed transaction that is still running cannot send statements in the next transaction.
 *
 * BEGIN is not sent separately but in one packet with the first statement, which saves a round trip for every
 * transaction, and a transaction without statements sends nothing. This is safe only if the connection works: after a
 * pause, BEGIN is sent separately and its response awaited, because the first statement must never run outside a
 * transaction. Statements are sent one after the other, because `pg` rejects queries on a busy connection.
 */
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
        end(); // if BEGIN has failed, queued statements must not run outside a transaction
        throw error;
      }
    };
    const beginning = <T>(send: Sending<T>): Promise<T> => (due.length > 0 ? beginWith(send) : send());
    const isUnbegun = (): boolean => due[0] === begin;
    // Loaders send several statements at once, but `pg` rejects queries on a busy connection.
    const oneAtATime = pLimit(1);
    const inTurn = <T>(send: () => Promise<T>): Promise<T> =>
      oneAtATime(() => (isOver ? Promise.reject(new Error('The transaction has ended.')) : send()));
    const send: Send = (statement, values) =>
      beginning((before) => sendStatement(client, statement, values, undefined, before));
    const queryOfPrisma: QueryOfPrisma = (query) =>
      inTurn(() => beginning((before) => sendQuery(client, query, undefined, undefined, before)));
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
