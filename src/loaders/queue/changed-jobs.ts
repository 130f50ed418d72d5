import { statement } from '../../db/statement.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Scope } from '../../scope.ts';
import { endedIn } from '../audit/log-poller.ts';
import { entriesPerBatch, type LogSpan } from '../audit/new-log-entries.ts';
import { type JobRow, jobColumns, jobRow } from './jobs.ts';

/** The maximum number of jobs that one subscriber can wait for at a time. */
const maxWatched = 1_000;

export interface JobChange {
  readonly job: JobRow;
  /** Whether the job has been deleted, which happens when it is completed. */
  readonly isGone: boolean;
}

const findChanged = statement('changed-jobs', jobRow)`
  SELECT ${jobColumns} FROM job j
  WHERE j.id > $1::bigint AND ${endedIn('j.xmin', '$2', '$3')} AND ($4::text[] IS NULL OR j.kind = ANY($4::text[]))
  ORDER BY j.id LIMIT ${entriesPerBatch}`;

const findGone = statement('gone-jobs', { id: 'text' })`
  SELECT w.id::text FROM unnest($1::bigint[]) AS w (id) WHERE NOT EXISTS (SELECT FROM job j WHERE j.id = w.id)`;

const isSame = (one: JobRow | undefined, other: JobRow): boolean =>
  one?.state === other.state && one.attempts === other.attempts && one.error === other.error;

/**
 * Finds the watched jobs that no longer exist. A job is deleted when it is completed, so its completion cannot be found
 * by looking for changed rows.
 */
async function goneJobs({ db }: Pick<Scope, 'db'>, { watched }: LogSpan): Promise<JobChange[]> {
  if (watched.size === 0) return [];
  const rows = await db.query(findGone, [[...watched.keys()]]);
  return rows.flatMap(({ id }) => {
    const job = watched.get(id);
    watched.delete(id);
    return job ? [{ job, isGone: true }] : [];
  });
}

/**
 * Reads the next batch of changed jobs, as `newLogEntries` does for log entries. Renewing a lease does not count as a
 * change.
 * @throws Invalid
 */
export async function changedJobs(
  scope: Pick<Scope, 'db'>,
  span: LogSpan,
  kinds: readonly string[] | null | undefined,
): Promise<JobChange[]> {
  requireStorable(kinds);
  const [from, until] = [span.from.transaction, span.until.transaction];
  if (until <= from) return [];
  const { watched } = span;
  const values = [span.after ?? 0n, from, until].map(String);
  const rows = await scope.db.query(findChanged, [...values, kinds ?? null]);
  span.hasMore = rows.length === entriesPerBatch;
  span.after = BigInt(rows.at(-1)?.id ?? 0);
  const changed = rows.filter((job) => !isSame(watched.get(job.id), job));
  for (const job of changed) if (watched.has(job.id) || watched.size < maxWatched) watched.set(job.id, job);
  return [...changed.map((job) => ({ job, isGone: false })), ...(await goneJobs(scope, span))];
}
