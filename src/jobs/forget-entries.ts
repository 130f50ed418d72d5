import type { Database, Query } from '../db/database.ts';
import { inBatches } from './in-batches.ts';

const query: Query = {
  name: 'forget-entries',
  text: `
    WITH old AS (
      SELECT repository, id FROM log_entry WHERE event_date < now() - make_interval(days => $1::int)
      ORDER BY event_date LIMIT $2::int FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM log_entry l USING old WHERE l.repository = old.repository AND l.id = old.id RETURNING 1
    )
    SELECT count(*)::int AS count FROM gone`,
};

/**
 * Deletes the log entries (§2.6) of events so many days ago; answers how many.
 * @param days how long they are kept (AUDIT_DAYS); for ever when it is undefined.
 */
export async function forgetEntries(
  database: Pick<Database, 'query'>,
  days: number | undefined,
  isStopping: () => boolean = () => false,
): Promise<number> {
  return days === undefined ? 0 : inBatches(database, query, [days], isStopping);
}
