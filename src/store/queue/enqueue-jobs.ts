import { statement } from '../../db/statement.ts';
import type { Scope } from '../../scope.ts';

/** A job to add to the queue. */
export interface NewJob {
  readonly kind: string;
  /** Jobs of one kind with the same key run one after the other, in the order in which they were added. */
  readonly key?: string;
  /** If set, the job is not added while another job with the same value of `once` exists. */
  readonly once?: string;
  /** Input for the job. It is stored unencrypted, so secrets in it must be encrypted by the caller. */
  readonly payload?: Readonly<Record<string, unknown>>;
  /** The earliest time to run the job, in ISO 8601; by default, it runs immediately. */
  readonly runAt?: string | null;
}

const insert = statement('enqueue-jobs')`
  INSERT INTO job (kind, key, once, payload, run_at)
  SELECT kind, key, once, coalesce(payload, '{}'), greatest(run_at, now())
  FROM jsonb_to_recordset($1::jsonb) AS g (kind text, key text, once text, payload jsonb, run_at timestamptz)
  ON CONFLICT (once) DO NOTHING`;

/** Adds jobs to the queue. Any process can run them once the transaction is committed. */
export async function enqueueJobs({ db }: Pick<Scope, 'db'>, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const rows = jobs.map(({ runAt = null, ...job }) => ({ ...job, run_at: runAt }));
  await db.query(insert, [JSON.stringify(rows)]);
  await db.announce('jobs');
}
