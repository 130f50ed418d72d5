import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

/** Milliseconds between two looks for what was committed. */
const interval = 500;

/** Entries that the first moment looks back over: of transactions that had begun before it. */
const lookBack = 10_000n;

/** A moment by which all transactions before a number have ended. */
export interface LogMoment {
  readonly transaction: bigint;
  /** Those that have not ended by then write log entries with higher ids alone. */
  readonly afterEntry: bigint;
}

/**
 * SQL: whether a row was written by a transaction that ended between two moments, by their numbers, of which
 * `xmin` has the lower 32 bits.
 */
export const endedIn = (xmin: string, from: string, until: string): string =>
  `((${xmin}::text::bigint - ${from}::bigint) & 4294967295) < ${until}::bigint - ${from}::bigint`;

const look = statement('log-pulse', { ended: 'text', next: 'text', lastEntry: 'text' })`
  SELECT pg_snapshot_xmin(s)::text AS ended, pg_snapshot_xmax(s)::text AS next,
    (SELECT last_value - 1 FROM log_entry_id_seq)::text AS "lastEntry"
  FROM pg_current_snapshot() s`;

/** How far a reader of the log is, from which it looks again. */
export interface LogPosition extends LogMoment {
  /** The highest id that had been given out. */
  readonly lastEntry: bigint;
  /** The entries before are of transactions before; absent at the first look. */
  readonly mark?: LogMoment | undefined;
}

/**
 * Looks how far transactions have ended. The id of an entry is given out shortly before its transaction has a number, so
 * a mark has the last entry of the look before.
 * @param before the look before. @throws errors of the database
 */
export async function lookAtLog(db: Pick<Client, 'query'>, before?: LogPosition): Promise<LogPosition> {
  const [row] = await db.query(look, []);
  if (!row) throw new Error('the database does not tell its transactions');
  const transaction = BigInt(row.ended);
  const lastEntry = BigInt(row.lastEntry);
  const reached = before?.mark && transaction >= before.mark.transaction ? before.mark : undefined;
  const afterEntry = reached?.afterEntry ?? before?.afterEntry ?? lastEntry - lookBack;
  const open = reached ? undefined : before?.mark;
  const mark = open ?? (before && { transaction: BigInt(row.next), afterEntry: before.lastEntry });
  return { transaction, afterEntry, lastEntry, mark };
}

/**
 * Looks on behalf of all subscribers of the process how far transactions have ended, for as long as there
 * are any: writes announce nothing for them, which would have commits wait for each other.
 */
interface Pulse {
  /** @returns the moment from which on nothing is missed. @throws errors of the database */
  join(): Promise<LogMoment>;
  leave(): void;
  /** Resolves at the next look; undefined once the signal is aborted. */
  next(signal: AbortSignal): Promise<LogMoment | undefined>;
}

export function createPulse(db: Pick<Client, 'query'>): Pulse {
  let members = 0;
  let timer: NodeJS.Timeout | undefined;
  let latest: LogPosition | undefined;
  let looking: Promise<LogMoment> | undefined;
  const waiting = new Set<(moment?: LogMoment) => void>();

  const lookOnce = async (): Promise<LogMoment> => {
    const moment = await lookAtLog(db, latest);
    if (members > 0) latest = moment; // or the next one to join, hours later, would begin there
    for (const resolve of waiting) resolve(moment);
    return moment;
  };
  const beat = (): Promise<LogMoment> => {
    looking ??= lookOnce().finally(() => {
      looking = undefined;
    });
    return looking;
  };

  return {
    join: async () => {
      members += 1;
      // Without the database there is nothing to tell: the next look may succeed.
      timer ??= setInterval(() => void beat().catch(() => {}), interval).unref();
      return latest ?? beat();
    },
    leave: () => {
      members -= 1;
      if (members > 0) return;
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
