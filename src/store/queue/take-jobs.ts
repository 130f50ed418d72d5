import { modelColumns } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { isTransactionConflict } from '../../db/errors.ts';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import { statement } from '../../db/statement.ts';
import { indexDocumentJob } from '../../loaders/queue/jobs.ts';

export interface TakenJob {
  readonly id: string;
  readonly kind: string;
  readonly key: string | null;
  readonly payload: unknown;
  /** This one included. */
  readonly attempts: number;
  readonly fence: number;
}

type Db = Pick<Client, 'query'>;

/** Seconds after which a job without a heartbeat is another runner's; three are sent in that time. */
export const lease = 30;

const leaseEnd = `clock_timestamp() + make_interval(secs => ${lease})`;

// Columns keep milliseconds: what is due now may have been rounded up.
const isDue = `j.run_at <= statement_timestamp() + interval '1 ms' AND j.id <> ALL ($3::bigint[])`;

/** Where others take a job of the same key at the same time: `job_running_key_idx` refuses the second one. */
const mostTakes = 4;

const open = `state <> 'set-aside'`;

// Of each key the job that runs, else the first one. The keys, which are few, are gone through one by one.
const take = statement('take-jobs', {
  ...modelColumns('Job', 'kind', 'key', 'payload', 'attempts', 'fence'),
  id: 'text',
})`
  WITH RECURSIVE wanted AS (SELECT * FROM unnest($1::text[], $2::int[]) AS w (kind, free)),
  keys AS (
    SELECT kind, (SELECT min(j.key) FROM job j WHERE j.kind = w.kind AND j.key IS NOT NULL AND ${open}) AS key
    FROM wanted w
    UNION ALL
    SELECT kind, (SELECT min(j.key) FROM job j WHERE j.kind = k.kind AND j.key > k.key AND ${open})
    FROM keys k WHERE k.key IS NOT NULL
  ),
  keyless AS (
    SELECT w.kind, j.id FROM wanted w CROSS JOIN LATERAL (
      SELECT id FROM job j WHERE j.kind = w.kind AND j.key IS NULL AND ${open} AND ${isDue}
      ORDER BY j.run_at, j.id LIMIT w.free FOR UPDATE SKIP LOCKED
    ) j
  ),
  firsts AS (
    SELECT j.id FROM wanted w CROSS JOIN LATERAL (
      SELECT j.id FROM keys k CROSS JOIN LATERAL (
        SELECT coalesce(
          (SELECT id FROM job r WHERE r.kind = k.kind AND r.key = k.key AND r.state = 'running'),
          (SELECT id FROM job f WHERE f.kind = k.kind AND f.key = k.key AND ${open} ORDER BY f.id LIMIT 1)
        ) AS id
      ) f JOIN job j ON j.id = f.id AND ${open} AND ${isDue}
      WHERE k.kind = w.kind
      ORDER BY j.run_at, j.id LIMIT w.free - (SELECT count(*) FROM keyless l WHERE l.kind = w.kind)
      FOR UPDATE OF j SKIP LOCKED
    ) j
  )
  UPDATE job SET attempts = attempts + 1, fence = fence + 1, state = 'running', run_at = ${leaseEnd}
  WHERE id = ANY (ARRAY(SELECT id FROM keyless UNION ALL SELECT id FROM firsts))
  RETURNING id::text, kind, key, payload, attempts, fence`;

/**
 * Takes jobs that are due, each by one runner at a time, and at most so many of each kind.
 * @param running ids of jobs that the runner is still at, although their lease may have ended.
 */
export async function takeJobs(
  db: Db,
  free: ReadonlyMap<string, number>,
  running: readonly string[] = [],
): Promise<TakenJob[]> {
  for (let left = mostTakes; ; left -= 1) {
    try {
      return await db.query(take, [[...free.keys()], [...free.values()], running]);
    } catch (error) {
      if (left === 1 || !isTransactionConflict(error)) throw error;
    }
  }
}

// A runner whose lease has ended may still be at work: what it says then has no effect. The build before
// raises the attempts alone.
const mine = `id = $1::bigint AND fence = $2::int AND attempts = $3::int AND state = 'running'`;

type Address = Pick<TakenJob, 'id' | 'fence' | 'attempts'>;

const addressOf = ({ id, fence, attempts }: Address) => [id, fence, attempts];

const renew = statement('renew-jobs')`
  UPDATE job SET run_at = ${leaseEnd}
  FROM unnest($1::bigint[], $2::int[], $3::int[]) AS mine (id, fence, attempts)
  WHERE job.id = mine.id AND job.fence = mine.fence AND job.attempts = mine.attempts AND state = 'running'`;

export const renewJobs = async (db: Db, jobs: readonly Address[]): Promise<void> =>
  void (await db.query(renew, [
    jobs.map(({ id }) => id),
    jobs.map(({ fence }) => fence),
    jobs.map(({ attempts }) => attempts),
  ]));

const finish = statement('finish-job')`DELETE FROM job WHERE ${mine}`;

/** In the transaction of the work it makes it happen exactly once. */
export const finishJob = async (db: Db, job: Address): Promise<void> =>
  void (await db.query(finish, addressOf(job)));

const postpone = statement('postpone-job')`
  UPDATE job SET state = 'waiting', run_at = clock_timestamp() + make_interval(secs => $4::int),
    attempts = $5::int, error = $6
  WHERE ${mine}`;

/** @param attempts how many count from now on. */
export const postponeJob = async (
  db: Db,
  job: Address,
  next: { readonly seconds: number; readonly attempts: number; readonly error: string | null },
): Promise<void> =>
  void (await db.query(postpone, [...addressOf(job), next.seconds, next.attempts, next.error]));

const setAside = statement('set-job-aside')`
  UPDATE job SET state = 'set-aside', run_at = clock_timestamp(), error = $4 WHERE ${mine}`;

export const setJobAside = async (db: Db, job: Address, error: string): Promise<void> =>
  void (await db.query(setAside, [...addressOf(job), error]));

/** A job that says which document is not in the search index stays as long as that is so. */
export const deleteOldJobs = oldRowsDeletion({
  table: 'job',
  key: ['id'],
  since: 'run_at',
  unless: `state <> 'set-aside' OR kind = '${indexDocumentJob}'`,
});
