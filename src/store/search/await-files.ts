import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { lease } from '../queue/take-jobs.ts';
import { fillingJob } from '../renditions/filling-jobs.ts';
import { fileWordsJob } from './file-words.ts';

/**
 * The maximum number of milliseconds to wait until the words of files are extracted and the views of pictures are
 * created.
 */
const maxWait = 10_000;

/** The number of milliseconds within which a due job is taken if any process is running jobs. */
const untilTaken = 500;

/** The number of milliseconds between two polls; each pause is twice as long as the previous one, up to `longest`. */
const pauses = { first: 25, longest: 250 };

/**
 * The maximum number of changes and files to wait for after one write (`ofWrite`), and the maximum number of files per
 * round when waiting for all files (`ofAll`).
 */
const max = { ofWrite: 1_000, ofAll: 200 };

const kinds = `('${fileWordsJob}'), ('${fillingJob}')`;

/**
 * SQL condition that is true if a job `j` has the kind `k` and is not set aside. It must match the condition of a
 * partial index on the table `job`.
 */
const ofKind = `j.kind = k.kind AND j.key IS NULL AND j.state <> 'set-aside'`;

const changedQuery = statement('jobs-of-own-files', { once: 'text' })`
  SELECT DISTINCT k.kind || ' ' || b.digest AS once
  FROM (SELECT * FROM search_change ORDER BY id DESC LIMIT ${max.ofWrite}) c
  JOIN document_blob b ON b.repository = c.repository AND b.document_id = c.document_id
  CROSS JOIN (VALUES ${kinds}) AS k (kind)
  WHERE c.transaction_id = pg_current_xact_id()
  LIMIT 2 * ${max.ofWrite}`;

const oldestQuery = statement('oldest-jobs-of-files', { once: 'text' })`
  SELECT j.once FROM (VALUES ${kinds}) AS k (kind) CROSS JOIN LATERAL (
    SELECT j.once FROM job j WHERE ${ofKind} ORDER BY j.run_at, j.id LIMIT ${max.ofAll}
  ) j`;

const pendingQuery = statement('pending-files', { count: 'int4', areRun: 'bool' })`
  SELECT (SELECT count(*)::int FROM job WHERE once = ANY($1::text[]) AND state <> 'set-aside') AS count,
    EXISTS (
      SELECT FROM (VALUES ${kinds}) AS k (kind) JOIN job j ON ${ofKind} AND j.state = 'running'
        AND j.run_at BETWEEN statement_timestamp() AND statement_timestamp() + interval '${lease} s'
    ) AS "areRun"`;

type Asking = Pick<Client, 'query'>;

/** Jobs, identified by the text that makes each of them unique (`once`). */
export type FileJobs = readonly string[];

const jobsOf = (rows: ReadonlyArray<{ readonly once: string }>): FileJobs => rows.map(({ once }) => once);

/** The jobs that may exist for the files of documents that the transaction has changed. */
export const jobsOfOwnFiles = async (db: Asking): Promise<FileJobs> =>
  jobsOf(await db.query(changedQuery, []));

interface FileWait {
  /** The jobs to wait for. If absent, waits for the jobs of all files, oldest first. */
  readonly jobs?: FileJobs;
  readonly isOver: () => boolean;
  /** Whether to continue waiting if no process seems to run jobs. */
  readonly waitsForRunner?: boolean;
}

/** Polls until the jobs have ended. Gives up early if no job has been taken or completed for a while. */
async function awaitJobs(
  caller: Asking,
  own: Asking,
  { jobs, isOver, waitsForRunner = false }: FileWait & Required<Pick<FileWait, 'jobs'>>,
): Promise<number | undefined> {
  const pending = async (db: Asking) =>
    (jobs.length > 0 && (await db.query(pendingQuery, [jobs]))[0]) || { count: 0, areRun: false };
  let before = await pending(caller);
  if (before.count === 0) return undefined;
  let movedAt = performance.now();
  for (let pause = pauses.first; before.count > 0 && !isOver(); ) {
    await wait(pause);
    pause = Math.min(2 * pause, pauses.longest);
    const now = await pending(own);
    if (now.areRun || now.count < before.count) movedAt = performance.now();
    before = now;
    if (!waitsForRunner && performance.now() - movedAt > untilTaken) break;
  }
  return before.count;
}

/** Returns the `isOver` function for the files of one write: the wait is over after ten seconds. */
export function untilMaxWait(): () => boolean {
  const end = performance.now() + maxWait;
  return () => performance.now() >= end;
}

/**
 * Waits until the words of files are extracted and the views of pictures are created.
 * @param caller the client of the caller, used for the first statements
 * @param own a client for polling, whose statements are not counted for the caller
 * @returns the number of files that are still pending; undefined if there was nothing to wait for
 */
export async function awaitFiles(
  caller: Asking,
  own: Asking,
  request: FileWait,
): Promise<number | undefined> {
  if (request.jobs) return awaitJobs(caller, own, { ...request, jobs: request.jobs });
  for (let count = 0; ; count += 1) {
    const jobs = jobsOf(await (count === 0 ? caller : own).query(oldestQuery, []));
    const left = await awaitJobs(own, own, { ...request, jobs });
    if (left !== 0 || jobs.length < max.ofAll) return left ?? (count > 0 ? 0 : undefined);
  }
}
