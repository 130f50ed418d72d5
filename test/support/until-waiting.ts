import type { Database } from '../../src/db/database.ts';
import { until } from './until.ts';

const waiting = `SELECT count(*)::int AS n FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Resolves once so many sessions wait for locks that others hold. */
export async function untilWaiting(database: Database, count: number): Promise<void> {
  await until(async () => {
    const [row] = await database.query<{ n: number }>({ name: '', text: waiting }, []);
    return (row?.n ?? 0) >= count;
  });
}
