import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

/** The interval between two polls, in milliseconds. */
const interval = 500;

/**
 * The distance from the latest entry id to the id at which the first poll starts. It makes the first poll include the
 * entries of transactions that are still running.
 */
const lookBack = 10_000n;

/** A moment at which all transactions numbered below `transaction` have ended. */
export interface LogMoment {
  readonly transaction: bigint;
  /** Transactions that are still running at this moment only write log entries with ids above this one. */
  readonly afterEntry: bigint;
}

/**
 * SQL condition that is true if the transaction that wrote a row ended between two moments. It compares transaction
 * numbers modulo 2^32, because a row's `xmin` contains only the lower 32 bits of the number.
 */
export const endedIn = (xmin: string, from: string, until: string): string =>
  `((${xmin}::text::bigint - ${from}::bigint) & 4294967295) < ${until}::bigint - ${from}::bigint`;

const positionQuery = statement('log-position', { ended: 'text', next: 'text', lastEntry: 'text' })`
  SELECT pg_snapshot_xmin(s)::text AS ended, pg_snapshot_xmax(s)::text AS next,
    (SELECT last_value - 1 FROM log_entry_id_seq)::text AS "lastEntry"
  FROM pg_current_snapshot() s`;

/** The position up to which a reader has read the log; the next poll continues there. */
export interface LogPosition extends LogMoment {
  /** The highest id that any entry had at the time of the poll. */
  readonly lastEntry: bigint;
  /**
   * A point that the next poll checks: entries up to `mark.afterEntry` belong to transactions before
   * `mark.transaction`. Absent after the first poll.
   */
  readonly mark?: LogMoment | undefined;
}

/**
 * Determines the number below which all transactions have ended, and the id up to which entries no longer need to be
 * read.
 *
 * Each poll sets a mark: the next transaction number, and the last entry id as of the previous poll. (The current last
 * id cannot be used, because an entry can get its id shortly before its transaction gets a number.) Once all
 * transactions before the mark have ended, entries up to that id no longer need to be read, and `afterEntry` advances
 * to it.
 * @param before the position after the previous poll
 * @throws database errors
 */
export async function readLogPosition(db: Pick<Client, 'query'>, before?: LogPosition): Promise<LogPosition> {
  const [row] = await db.query(positionQuery, []);
  if (!row) throw new Error('The database did not return its running transactions.');
  const transaction = BigInt(row.ended);
  const lastEntry = BigInt(row.lastEntry);
  const reached = before?.mark && transaction >= before.mark.transaction ? before.mark : undefined;
  const afterEntry = reached?.afterEntry ?? before?.afterEntry ?? lastEntry - lookBack;
  const open = reached ? undefined : before?.mark;
  const mark = open ?? (before && { transaction: BigInt(row.next), afterEntry: before.lastEntry });
  return { transaction, afterEntry, lastEntry, mark };
}

/**
 * Polls the database for ended transactions on behalf of all subscribers in this process, as long as there are any.
 * Writes do not announce log entries with NOTIFY, because NOTIFY takes a lock that makes commits wait for each other.
 */
interface LogPoller {
  /**
   * Adds a subscriber.
   * @returns the moment after which the subscriber misses no entry
   * @throws database errors
   */
  subscribe(): Promise<LogMoment>;
  unsubscribe(): void;
  /** Resolves with the moment of the next poll, or with undefined once the signal is aborted. */
  next(signal: AbortSignal): Promise<LogMoment | undefined>;
}

export function createLogPoller(db: Pick<Client, 'query'>): LogPoller {
  let subscribers = 0;
  let timer: NodeJS.Timeout | undefined;
  let latest: LogPosition | undefined;
  let polling: Promise<LogMoment> | undefined;
  const waiting = new Set<(moment?: LogMoment) => void>();

  const pollOnce = async (): Promise<LogMoment> => {
    const moment = await readLogPosition(db, latest);
    // Without subscribers, nothing updates this moment, so it would be outdated for the next subscriber.
    if (subscribers > 0) latest = moment;
    for (const resolve of waiting) resolve(moment);
    return moment;
  };
  const poll = (): Promise<LogMoment> => {
    polling ??= pollOnce().finally(() => {
      polling = undefined;
    });
    return polling;
  };

  return {
    subscribe: async () => {
      subscribers += 1;
      // A poll fails while the database is unreachable; a later one may succeed.
      timer ??= setInterval(() => void poll().catch(() => {}), interval).unref();
      return latest ?? poll();
    },
    unsubscribe: () => {
      subscribers -= 1;
      if (subscribers > 0) return;
      clearInterval(timer);
      timer = undefined;
      latest = undefined;
    },
    next: (signal) =>
      new Promise((resolve) => {
        const done = (moment?: LogMoment): void => {
          waiting.delete(done);
          signal.removeEventListener('abort', stopped);
          resolve(moment);
        };
        const stopped = () => done();
        if (signal.aborted) return done();
        waiting.add(done);
        signal.addEventListener('abort', stopped);
      }),
  };
}
