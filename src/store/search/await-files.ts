import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { lease } from '../queue/take-jobs.ts';
import { fillingJob } from '../renditions/filling-jobs.ts';
import { fileWordsJob } from './file-words.ts';

/** Milliseconds that are waited for the words of files and the views of pictures at most. */
const longest = 10_000;

/** Milliseconds within which some process takes a job, if any process runs jobs. */
const untilTaken = 500;

/** Milliseconds between two looks: doubled after each. */
const pauses = { first: 25, longest: 250 };

/** The most changes, and files, of a write whose files are awaited; of all files, those that are at once. */
const most = { ofWrite: 1_000, ofAll: 200 };

const kinds = `('${fileWordsJob}'), ('${fillingJob}')`;

/** SQL: jobs `j` of a kind `k` that are not set aside, as their index has them. */
const ofKind = `j.kind = k.kind AND j.key IS NULL AND j.state <> 'set-aside'`;

const changedQuery = statement('jobs-of-own-files', { once: 'text' })`
  SELECT DISTINCT k.kind || ' ' || b.digest AS once
  FROM (SELECT * FROM search_change ORDER BY id DESC LIMIT ${most.ofWrite}) c
  JOIN document_blob b ON b.repository = c.repository AND b.document_id = c.document_id
  CROSS JOIN (VALUES ${kinds}) AS k (kind)
  WHERE c.transaction_id = pg_current_xact_id()
  LIMIT 2 * ${most.ofWrite}`;

const oldestQuery = statement('oldest-jobs-of-files', { once: 'text' })`
  SELECT j.once FROM (VALUES ${kinds}) AS k (kind) CROSS JOIN LATERAL (
    SELECT j.once FROM job j WHERE ${ofKind} ORDER BY j.run_at, j.id LIMIT ${most.ofAll}
  ) j`;

const pendingQuery = statement('pending-files', { count: 'int4', areRun: 'bool' })`
  SELECT (SELECT count(*)::int FROM job WHERE once = ANY($1::text[]) AND state <> 'set-aside') AS count,
    EXISTS (
      SELECT FROM (VALUES ${kinds}) AS k (kind) JOIN job j ON ${ofKind} AND j.state = 'running'
        AND j.run_at BETWEEN statement_timestamp() AND statement_timestamp() + interval '${lease} s'
    ) AS "areRun"`;

type Asking = Pick<Client, 'query'>;

export type FileJobs = readonly string[];

const jobsOf = (rows: ReadonlyArray<{ readonly once: string }>): FileJobs => rows.map(({ once }) => once);

/** The jobs that the files of documents may get which the transaction has changed. */
export const jobsOfOwnFiles = async (db: Asking): Promise<FileJobs> =>
  jobsOf(await db.query(changedQuery, []));

interface FileWait {
  /** Those of the files; of all files, the oldest first, when absent. */
  readonly jobs?: FileJobs;
  readonly isOver: () => boolean;
  /** Whether to wait on where no process seems to run jobs. */
  readonly isPatient?: boolean;
}

async function awaitJobs(
  asking: Asking,
  own: Asking,
  { jobs, isOver, isPatient = false }: FileWait & Required<Pick<FileWait, 'jobs'>>,
): Promise<number | undefined> {
  const pending = async (db: Asking) =>
    (jobs.length > 0 && (await db.query(pendingQuery, [jobs]))[0]) || { count: 0, areRun: false };
  let before = await pending(asking);
  if (before.count === 0) return undefined;
  let movedAt = performance.now();
  for (let pause = pauses.first; before.count > 0 && !isOver(); ) {
    await wait(pause);
    pause = Math.min(2 * pause, pauses.longest);
    const now = await pending(own);
    if (now.areRun || now.count < before.count) movedAt = performance.now();
    before = now;
    if (!isPatient && performance.now() - movedAt > untilTaken) break;
  }
  return before.count;
}

/** Files of a write: their wait ends after ten seconds. */
export function untilLongest(): () => boolean {
  const end = performance.now() + longest;
  return () => performance.now() >= end;
}

/**
 * Waits until files are read and the views made of those that are pictures.
 * @param asking of the caller; what is asked while it waits is not counted among its statements.
 * @returns how many are left, of those that were looked at; undefined when there were none.
 */
export async function awaitFiles(asking: Asking, own: Asking, wanted: FileWait): Promise<number | undefined> {
  if (wanted.jobs) return awaitJobs(asking, own, { ...wanted, jobs: wanted.jobs });
  for (let count = 0; ; count += 1) {
    const jobs = jobsOf(await (count === 0 ? asking : own).query(oldestQuery, []));
    const left = await awaitJobs(own, own, { ...wanted, jobs });
    if (left !== 0 || jobs.length < most.ofAll) return left ?? (count > 0 ? 0 : undefined);
  }
}
