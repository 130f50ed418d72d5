import { type Querying, statement } from '../statement.ts';

/** How far a caller has written and seen. */
export interface Position {
  /** Bytes of the primary's log. */
  readonly lsn: number;
  /** When the caller wrote last, by the clock of the primary, in milliseconds; 0 when it has not. */
  readonly wroteAt: number;
  /** By `performance.now()`: when the primary was asked for it, or since when it is unknown. */
  readonly at: number;
  /** The clock of the primary when it was asked for the position, in milliseconds; 0 where it was not asked. */
  readonly clock: number;
}

/** The most that `readPosition` reads, so that all processes take it for unknown: no replica is that far. */
const unknownLsn = 999_999_999_999_999;

const untold = Number.NEGATIVE_INFINITY;

export const start: Position = { lsn: 0, wroteAt: 0, at: untold, clock: 0 };

/** Where the primary could not be asked for one: the next one that it is asked for covers it. */
export const unknownPosition = (wroteAt = 0): Position => ({
  lsn: unknownLsn,
  wroteAt,
  at: performance.now(),
  clock: 0,
});

export const isUnknown = ({ lsn }: Position): boolean => lsn === unknownLsn;

const covers = (one: Position, other: Position): boolean =>
  isUnknown(other) && !isUnknown(one) && one.at > other.at;

/** The time of a write whose position is unknown is unknown too: it is not after that of the covering position. */
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

/** What a caller brings along, and takes away with the answer. */
export interface Carried {
  position?: Position | undefined;
}

export const writePosition = ({ lsn, wroteAt }: Position): string => `${lsn}-${wroteAt}`;

/** Reads what `writePosition` wrote; undefined for any other text. */
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

/** The end of the log, after everything that is committed, and the clock. */
export async function primaryPosition(db: Querying): Promise<Position> {
  const at = performance.now();
  const [found] = await db.query(primaryQuery, []);
  if (!found) throw new Error('the primary has no position');
  return { ...found, wroteAt: 0, at };
}

const replicaQuery = {
  ...statement('replica-position', { lsn: 'float8?' })`
    SELECT (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::float8 AS lsn WHERE pg_is_in_recovery()`,
  isQuick: true,
} as const;

/** How much of the log a replica has applied; undefined when it is none any more. */
export async function replicaPosition(db: Querying): Promise<number | undefined> {
  const [found] = await db.query(replicaQuery, []);
  return found?.lsn ?? undefined;
}
