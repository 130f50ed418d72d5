import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Probe } from './probe.ts';

/** The maximum number of seconds that the index can lag behind; searches wait for only one second. */
export const maxIndexDelay = 60;

const query = statement('probe-search-index', { seconds: 'float8' })`
  SELECT coalesce(extract(epoch FROM clock_timestamp() - min(changed_at)), 0)::float AS seconds FROM search_change`;

/** Returns by how many seconds the search index lags behind. */
export async function indexDelay(db: Pick<Client, 'query'>): Promise<number> {
  const [row] = await db.query(query, []);
  return Math.max(0, Math.round(row?.seconds ?? 0));
}

/** Succeeds if the search index does not lag far behind. */
export const searchIndexProbe: Probe = {
  name: 'searchIndex',
  run: async (scope) => {
    const seconds = await indexDelay(scope.db);
    return { success: seconds <= maxIndexDelay, values: { seconds: String(seconds) } };
  },
};
