import { statement } from '../../db/statement.ts';
import type { Probe } from './probe.ts';

/** The maximum number of seconds that the index can lag behind; searches wait for only one second. */
const maxSeconds = 60;

const query = statement('probe-search-index', { seconds: 'float8' })`
  SELECT coalesce(extract(epoch FROM clock_timestamp() - min(changed_at)), 0)::float AS seconds FROM search_change`;

/** Succeeds if the search index does not lag far behind. */
export const searchIndexProbe: Probe = {
  name: 'searchIndex',
  run: async ({ db }) => {
    const [row] = await db.query(query, []);
    const seconds = Math.max(0, Math.round(row?.seconds ?? 0));
    return { success: seconds <= maxSeconds, values: { seconds: String(seconds) } };
  },
};
