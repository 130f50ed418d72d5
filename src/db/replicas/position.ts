import type { Client } from '../database.ts';
import { statement } from '../statement.ts';

/** How far a caller has written and seen. */
export interface Position {
  /** Bytes of the primary's log. */
  readonly lsn: number;
  /** When the caller wrote last, by the clock of the primary, in milliseconds; 0 when it has not. */
  readonly wroteAt: number;
}

export const start: Position = { lsn: 0, wroteAt: 0 };

export const later = (one: Position, other: Position): Position => ({
  lsn: Math.max(one.lsn, other.lsn),
  wroteAt: Math.max(one.wroteAt, other.wroteAt),
});

/** What a caller brings along, and takes away with the answer. */
export interface Carried {
  position?: Position | undefined;
}

export const writePosition = ({ lsn, wroteAt }: Position): string => `${lsn}-${wroteAt}`;

/** Reads what `writePosition` wrote; undefined for any other text. */
export function readPosition(text: string): Position | undefined {
  const [, lsn, wroteAt] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  return lsn === undefined ? undefined : { lsn: Number(lsn), wroteAt: Number(wroteAt) };
}

const primaryQuery = {
  ...statement('primary-position')`
    SELECT (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 AS lsn,
      floor(1000 * extract(epoch FROM clock_timestamp()))::float8 AS now`,
  isQuick: true,
} as const;

/** The end of the log, after everything that is committed, and the clock. */
export async function primaryPosition(db: Pick<Client, 'query'>): Promise<{ lsn: number; now: number }> {
  const [found] = await db.query<{ lsn: number; now: number }>(primaryQuery, []);
  if (!found) throw new Error('the primary has no position');
  return found;
}

const replicaQuery = {
  ...statement('replica-position')`
    SELECT (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::float8 AS lsn WHERE pg_is_in_recovery()`,
  isQuick: true,
} as const;

/** How much of the log a replica has applied; undefined when it is none any more. */
export async function replicaPosition(db: Pick<Client, 'query'>): Promise<number | undefined> {
  const [found] = await db.query<{ lsn: number | null }>(replicaQuery, []);
  return found?.lsn ?? undefined;
}
