import type { Database } from '../../src/db/database.ts';
import { until } from './until.ts';

const waiting = `SELECT count(*)::int AS n FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Returns the number of sessions that are waiting for a lock. */
export async function waitingSessions(database: Database): Promise<number> {
  const [row] = await database.query<{ n: number }>({ name: '', text: waiting }, []);
  return row?.n ?? 0;
}

/** Resolves when at least `count` sessions are waiting for a lock. */
export async function untilWaiting(database: Database, count: number): Promise<void> {
  await until(async () => (await waitingSessions(database)) >= count);
}
