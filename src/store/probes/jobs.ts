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
