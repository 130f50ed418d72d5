import { statement } from '../../db/statement.ts';
import type { Probe } from './probe.ts';

/** Seconds that the index can be behind; searches wait for one second. */
const maxSeconds = 60;

const query = statement('probe-search-index', { seconds: 'float8' })`
  SELECT coalesce(extract(epoch FROM clock_timestamp() - min(changed_at)), 0)::float AS seconds FROM search_change`;

/** Succeeds if the search index is not far behind. */
export const searchIndexProbe: Probe = {
  name: 'searchIndex',
  run: async ({ db }) => {
    const [row] = await db.query(query, []);
    const seconds = Math.max(0, Math.round(row?.seconds ?? 0));
    return { success: seconds <= maxSeconds, values: { seconds: String(seconds) } };
  },
};
