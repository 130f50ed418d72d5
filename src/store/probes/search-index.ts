import { statement } from '../../db/statement.ts';
import type { Probe } from './probe.ts';

/** Seconds by which it may be behind: searches wait for one. */
const mostSeconds = 60;

const query = statement('probe-search-index', { seconds: 'float8' })`
  SELECT coalesce(extract(epoch FROM clock_timestamp() - min(changed_at)), 0)::float AS seconds FROM search_change`;

export const searchIndexProbe: Probe = {
  name: 'searchIndex',
  run: async ({ db }) => {
    const [row] = await db.query(query, []);
    const seconds = Math.max(0, Math.round(row?.seconds ?? 0));
    return { success: seconds <= mostSeconds, values: { seconds: String(seconds) } };
  },
};
