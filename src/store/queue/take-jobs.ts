import { modelColumns } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { isTransactionConflict } from '../../db/errors.ts';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import { statement } from '../../db/statement.ts';
import { indexDocumentJob } from '../../loaders/queue/jobs.ts';

/** A job that a runner has taken. */
export interface TakenJob {
  readonly id: string;
  readonly kind: string;
  readonly key: string | null;
  readonly payload: unknown;
  /** The number of attempts, including this one. */
  readonly attempts: number;
  /** A fencing number that increases each time the job is taken. It tells the current runner from earlier ones. */
  readonly fence: number;
}

type Db = Pick<Client, 'query'>;

/**
 * The number of seconds without a heartbeat after which another runner can take over a job. A runner sends three
 * heartbeats in that time.
 */
export const lease = 30;

const leaseEnd = `clock_timestamp() + make_interval(secs => ${lease})`;

// Columns store milliseconds, so the `run_at` of a job that is due now may have been rounded up.
const isDue = `j.run_at <= statement_timestamp() + interval '1 ms' AND j.id <> ALL ($3::bigint[])`;

/**
 * The maximum number of attempts to take jobs. An attempt fails when another runner takes a job with the same key at
 * the same time (`job_running_key_idx`).
 */
const maxTakes = 4;

const open = `state <> 'set-aside'`;

// Guarantees that each job has only one runner at a time, and that jobs with the same key run one after the other.
//
// `keys` steps through the distinct keys of each kind with one index lookup per key, because there are few keys, but
// possibly many jobs. For each key, `firsts` considers only one job: the running one or, if there is none, the oldest.
// If that job is not due, the whole key waits; the `run_at` of a running job is the end of its lease, so a job whose
// runner died becomes due. `keyless` takes jobs without a key, starting with those that have been due the longest. SKIP
// LOCKED lets several runners take different jobs at the same time; without it, one would wait for the other and then
// find its jobs taken.
const take = statement('take-jobs', {
  ...modelColumns('Job', 'kind', 'key', 'payload', 'attempts', 'fence'),
  id: 'text',
})`
  WITH RECURSIVE kinds AS (SELECT * FROM unnest($1::text[], $2::int[]) AS w (kind, free)),
  keys AS (
    SELECT kind, (SELECT min(j.key) FROM job j WHERE j.kind = w.kind AND j.key IS NOT NULL AND ${open}) AS key
    FROM kinds w
    UNION ALL
    SELECT kind, (SELECT min(j.key) FROM job j WHERE j.kind = k.kind AND j.key > k.key AND ${open})
    FROM keys k WHERE k.key IS NOT NULL
  ),
  keyless AS (
    SELECT w.kind, j.id FROM kinds w CROSS JOIN LATERAL (
      SELECT id FROM job j WHERE j.kind = w.kind AND j.key IS NULL AND ${open} AND ${isDue}
      ORDER BY j.run_at, j.id LIMIT w.free FOR UPDATE SKIP LOCKED
    ) j
  ),
  firsts AS (
    SELECT j.id FROM kinds w CROSS JOIN LATERAL (
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
 * Takes due jobs for this runner.
 * @param free the number of jobs of each kind that the runner can take
 * @param running the ids of jobs that it is still running; it does not take them again, even if their lease has expired
 */
export async function takeJobs(
  db: Db,
  free: ReadonlyMap<string, number>,
  running: readonly string[] = [],
): Promise<TakenJob[]> {
  for (let left = maxTakes; ; left -= 1) {
    try {
      return await db.query(take, [[...free.keys()], [...free.values()], running]);
    } catch (error) {
      if (left === 1 || !isTransactionConflict(error)) throw error;
    }
  }
}

// A runner can outlive its lease. Taking a job changes its fence, so this condition turns late updates by the previous
// runner into no-ops.
const mine = `id = $1::bigint AND fence = $2::int AND state = 'running'`;

type Address = Pick<TakenJob, 'id' | 'fence'>;

const addressOf = ({ id, fence }: Address) => [id, fence];

const renew = statement('renew-jobs')`
  UPDATE job SET run_at = ${leaseEnd}
  FROM unnest($1::bigint[], $2::int[]) AS mine (id, fence)
  WHERE job.id = mine.id AND job.fence = mine.fence AND state = 'running'`;

/** Extends the leases of jobs. Runners call this as their heartbeat. */
export const renewJobs = async (db: Db, jobs: readonly Address[]): Promise<void> =>
  void (await db.query(renew, [jobs.map(({ id }) => id), jobs.map(({ fence }) => fence)]));

/** Deletes a job. If this happens in the transaction that does the work of the job, the work is done exactly once. */
export async function finishJob({ prisma }: Pick<Client, 'prisma'>, job: Address): Promise<void> {
  const { id, fence } = job;
  await prisma.job.deleteMany({ where: { id: BigInt(id), fence, state: 'running' } });
}

const postpone = statement('postpone-job')`
  UPDATE job SET state = 'waiting', run_at = clock_timestamp() + make_interval(secs => $3::int),
    attempts = $4::int, error = $5
  WHERE ${mine}`;

/** Makes a job wait for its next attempt. */
export const postponeJob = async (
  db: Db,
  job: Address,
  next: {
    readonly seconds: number;
    /** The number of attempts so far that count towards the maximum. */
    readonly attempts: number;
    readonly error: string | null;
  },
): Promise<void> =>
  void (await db.query(postpone, [...addressOf(job), next.seconds, next.attempts, next.error]));

const setAside = statement('set-job-aside')`
  UPDATE job SET state = 'set-aside', run_at = clock_timestamp(), error = $3 WHERE ${mine}`;

/** Stops attempts to run a job until an administrator runs or deletes it. */
export const setJobAside = async (db: Db, job: Address, error: string): Promise<void> =>
  void (await db.query(setAside, [...addressOf(job), error]));

/**
 * Deletes old jobs that are set aside because they failed for good, except those that report a document missing from
 * the search index.
 */
export const deleteOldJobs = oldRowsDeletion({
  table: 'job',
  key: ['id'],
  since: 'run_at',
  unless: `state <> 'set-aside' OR kind = '${indexDocumentJob}'`,
});
