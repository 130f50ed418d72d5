import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

/** The interval between two polls, in milliseconds. */
const interval = 500;

/**
 * The number of ids before the latest entry to which the first poll goes back, in order to include the entries of
 * running transactions.
 */
const lookBack = 10_000n;

/** A moment at which all transactions with a number below `transaction` have ended. */
export interface LogMoment {
  readonly transaction: bigint;
  /** Transactions that have not ended at that moment write only log entries with ids above this one. */
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
 * Determines up to which number all transactions have ended, and up to which id entries no longer need to be read.
 *
 * Each poll sets a mark: the next transaction number, and the last entry id of the previous poll. (The previous one is
 * used because an entry can get its id shortly before its transaction gets a number.) Once all transactions before the
 * mark have ended, entries up to that id need no longer be read, and `afterEntry` advances to it.
 * @param before the position after the previous poll
 * @throws database errors
 */
export async function readLogPosition(db: Pick<Client, 'query'>, before?: LogPosition): Promise<LogPosition> {
  const [row] = await db.query(positionQuery, []);
  if (!row) throw new Error('The database returned no row with its transactions.');
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
   * @returns the moment from which on the subscriber misses nothing
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
    // Without subscribers, nothing updates it, so it would be outdated for the next subscriber.
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
