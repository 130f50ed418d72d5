import { modelColumns } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import type { Scope } from '../../scope.ts';

const query = statement('event-counts', { ...modelColumns('LogEntry', 'eventId'), count: 'float8' })`
  SELECT l.event_id AS "eventId", count(*)::float8 AS count FROM log_entry l
  WHERE l.repository IN ($1, '') AND l.event_id = ANY($2::text[]) GROUP BY l.event_id`;

/** Counts the log entries of events, by event id, without a permission check. */
export const eventCounts =
  ({ db, options }: Scope) =>
  async (ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
    const rows = await db.query(query, [options.repository, ids]);
    return new Map(rows.map(({ eventId, count }) => [eventId, count]));
  };
