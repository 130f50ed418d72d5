import type { Job } from '../../generated/prisma/client.ts';
import { descending } from '../../query/order-sql.ts';
import { defineList } from '../lists/list-loader.ts';

export interface JobRow
  extends Pick<Job, 'kind' | 'key' | 'state' | 'createdAt' | 'runAt' | 'attempts' | 'error'> {
  readonly id: string;
}

export const jobStates = ['waiting', 'running', 'set-aside'];

interface JobFilter {
  readonly state: readonly string[];
  readonly kind: readonly string[];
}

/** The columns of `job j`. */
export const jobColumns = `j.id::text, j.kind, j.key, j.state, j.created_at AS "createdAt", j.run_at AS "runAt", j.attempts, j.error`;

/** The newest first. */
export const jobPages = defineList<JobFilter, JobRow>({
  name: 'jobs',
  columns: jobColumns,
  from: 'job j',
  where: '$1::text IS NOT NULL',
  order: [descending('j.created_at', 'timestamptz')],
  tieBreak: descending('j.id', 'bigint'),
  filters: {
    state: (given) => `j.state = ANY(${given}::text[])`,
    kind: (given) => `j.kind = ANY(${given}::text[])`,
  },
});
