import { type Querying, statement } from '../statement.ts';

/** The position in the primary's write-ahead log up to which a caller has written or seen changes. */
export interface Position {
  /** The byte position in the write-ahead log (LSN). */
  readonly lsn: number;
  /** The time of the caller's last write according to the primary's clock, in milliseconds; 0 if there is none. */
  readonly wroteAt: number;
  /**
   * The `performance.now()` at which the primary was asked for the position, or at which the position became unknown.
   */
  readonly at: number;
  /** The time on the primary's clock when it was asked for the position, in milliseconds; 0 if it was not asked. */
  readonly clock: number;
}

/**
 * Represents an unknown position in all processes. It is the maximum that `readPosition` accepts, and no replica ever
 * reaches it.
 */
const unknownLsn = 999_999_999_999_999;

const untold = Number.NEGATIVE_INFINITY;

export const start: Position = { lsn: 0, wroteAt: 0, at: untold, clock: 0 };

/**
 * The position after a write when the primary could not be asked for it. A position that the primary reports later
 * covers the write.
 */
export const unknownPosition = (wroteAt = 0): Position => ({
  lsn: unknownLsn,
  wroteAt,
  at: performance.now(),
  clock: 0,
});

export const isUnknown = ({ lsn }: Position): boolean => lsn === unknownLsn;

const covers = (one: Position, other: Position): boolean =>
  isUnknown(other) && !isUnknown(one) && one.at > other.at;

/**
 * Replaces an unknown position with a known one. The known position covers the write, because the write happened before
 * the primary reported the position.
 */
const covering = (one: Position, unknown: Position): Position => ({
  ...one,
  wroteAt: Math.max(one.wroteAt, unknown.wroteAt, one.clock),
});

export function later(one: Position, other: Position): Position {
  if (covers(one, other)) return covering(one, other);
  if (covers(other, one)) return covering(other, one);
  return {
    lsn: Math.max(one.lsn, other.lsn),
    wroteAt: Math.max(one.wroteAt, other.wroteAt),
    ...(one.at > other.at ? { at: one.at, clock: one.clock } : { at: other.at, clock: other.clock }),
  };
}

/** The log position that a client sends with a request and receives with its response. */
export interface Carried {
  position?: Position | undefined;
}

export const writePosition = ({ lsn, wroteAt }: Position): string => `${lsn}-${wroteAt}`;

/** Parses the output of `writePosition`. Returns undefined for any other string. */
export function readPosition(text: string): Position | undefined {
  const [, lsn, wroteAt] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  if (lsn === undefined) return undefined;
  const position = { ...start, lsn: Number(lsn), wroteAt: Number(wroteAt) };
  return isUnknown(position) ? unknownPosition(position.wroteAt) : position;
}

const primaryQuery = {
  ...statement('primary-position', { lsn: 'float8', clock: 'float8' })`
    SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 AS lsn,
      ceil(1000 * extract(epoch FROM clock_timestamp()))::float8 AS clock`,
  isQuick: true,
} as const;

/**
 * Asks the primary for the end of its write-ahead log, which includes everything that has been committed, and for the
 * time on its clock.
 */
export async function primaryPosition(db: Querying): Promise<Position> {
  const at = performance.now();
  const [found] = await db.query(primaryQuery, []);
  if (!found) throw new Error('The primary did not return its position in the write-ahead log.');
  return { ...found, wroteAt: 0, at };
}

const replicaQuery = {
  ...statement('replica-position', { lsn: 'float8?' })`
    SELECT (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::float8 AS lsn WHERE pg_is_in_recovery()`,
  isQuick: true,
} as const;

/**
 * Asks a replica up to which position it has applied the write-ahead log; returns undefined if it is no longer a
 * replica.
 */
export async function replicaPosition(db: Querying): Promise<number | undefined> {
  const [found] = await db.query(replicaQuery, []);
  return found?.lsn ?? undefined;
}
