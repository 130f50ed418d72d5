import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Probe } from './probe.ts';

const query = statement('probe-jobs', {
  count: 'int4',
})`SELECT count(*)::int AS count FROM job WHERE state = 'set-aside'`;

/** Succeeds if there are no failed jobs that wait for an administrator (jobs that are "set aside"). */
export const jobsProbe: Probe = {
  name: 'jobs',
  run: async ({ db }) => {
    const [row] = await db.query(query, []);
    return { success: row?.count === 0, values: { count: String(row?.count) } };
  },
};

// A waiting job is due since `run_at`. The lease of a running job ends at `run_at`, so that another process takes it.
const delayQuery = statement('job-delay', { seconds: 'float8' })`
  SELECT coalesce(extract(epoch FROM clock_timestamp() - min(run_at)), 0)::float AS seconds
  FROM job WHERE state <> 'set-aside'`;

/** Returns the number of seconds since which the longest-waiting job is due; 0 if none is due. */
export async function jobDelay(db: Pick<Client, 'query'>): Promise<number> {
  const [row] = await db.query(delayQuery, []);
  return Math.max(0, row?.seconds ?? 0);
}
