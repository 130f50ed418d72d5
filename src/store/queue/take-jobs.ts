import type { Client } from '../../db/database.ts';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import { statement } from '../../db/statement.ts';

export interface TakenJob {
  readonly id: string;
  readonly kind: string;
  readonly key: string | null;
  readonly payload: unknown;
  /** This one included. */
  readonly attempts: number;
}

type Db = Pick<Client, 'query'>;

/** Seconds after which a job without a heartbeat is another worker's; three are sent in that time. */
export const lease = 30;

const leaseEnd = `clock_timestamp() + make_interval(secs => ${lease})`;

const take = statement('take-jobs')`
  WITH due AS (
    SELECT j.id FROM unnest($1::text[], $2::int[]) AS wanted (kind, free) CROSS JOIN LATERAL (
      SELECT id FROM job j
      WHERE j.kind = wanted.kind AND j.state IN ('waiting', 'running') AND j.run_at <= clock_timestamp()
        AND (j.key IS NULL OR NOT EXISTS (
          SELECT FROM job e WHERE e.kind = j.kind AND e.key = j.key AND e.id < j.id AND e.state <> 'set-aside'
        ))
      ORDER BY j.run_at, j.id LIMIT wanted.free FOR UPDATE SKIP LOCKED
    ) j
  )
  UPDATE job SET attempts = attempts + 1, state = 'running', run_at = ${leaseEnd}
  FROM due WHERE job.id = due.id
  RETURNING job.id::text, kind, key, payload, attempts`;

/** Takes jobs that are due, each by one worker at a time, and at most so many of each kind. */
export const takeJobs = (db: Db, free: ReadonlyMap<string, number>): Promise<TakenJob[]> =>
  db.query<TakenJob>(take, [[...free.keys()], [...free.values()]]);

// A worker whose lease has ended may still be at work: what it says then has no effect.
const mine = `id = $1::bigint AND attempts = $2::int AND state = 'running'`;

type Address = Pick<TakenJob, 'id' | 'attempts'>;

const renew = statement('renew-jobs')`
  UPDATE job SET run_at = ${leaseEnd}
  FROM unnest($1::bigint[], $2::int[]) AS mine (id, attempts)
  WHERE job.id = mine.id AND job.attempts = mine.attempts AND state = 'running'`;

export const renewJobs = async (db: Db, jobs: readonly Address[]): Promise<void> =>
  void (await db.query(renew, [jobs.map(({ id }) => id), jobs.map(({ attempts }) => attempts)]));

const finish = statement('finish-job')`DELETE FROM job WHERE ${mine}`;

/** In the transaction of the work it makes it happen exactly once. */
export const finishJob = async (db: Db, { id, attempts }: Address): Promise<void> =>
  void (await db.query(finish, [id, attempts]));

const postpone = statement('postpone-job')`
  UPDATE job SET state = 'waiting', run_at = clock_timestamp() + make_interval(secs => $3::int),
    attempts = $4::int, error = $5
  WHERE ${mine}`;

/** @param attempts how many count from now on. */
export const postponeJob = async (
  db: Db,
  job: Address,
  next: { readonly seconds: number; readonly attempts: number; readonly error: string | null },
): Promise<void> =>
  void (await db.query(postpone, [job.id, job.attempts, next.seconds, next.attempts, next.error]));

const setAside = statement('set-job-aside')`UPDATE job SET state = 'set-aside', error = $3 WHERE ${mine}`;

export const setJobAside = async (db: Db, { id, attempts }: Address, error: string): Promise<void> =>
  void (await db.query(setAside, [id, attempts, error]));

export const deleteOldJobs = oldRowsDeletion({
  table: 'job',
  key: ['id'],
  since: 'created_at',
  unless: `state <> 'set-aside'`,
});
