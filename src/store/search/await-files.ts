import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { fillingJob } from '../renditions/filling-jobs.ts';
import { fileWordsJob } from './file-words.ts';

/** Milliseconds that a write waits for the words of files and the views of pictures at most. */
const longest = 10_000;

/** Milliseconds within which some process takes one of the jobs, if any process runs jobs. */
const untilTaken = 500;

/** Milliseconds between two looks: doubled after each. */
const pauses = { first: 25, longest: 250 };

const pendingQuery = statement('pending-files')`
  SELECT max(id)::text AS last, count(*) FILTER (WHERE state = 'running')::int AS running, count(*)::int AS count
  FROM job WHERE kind IN ('${fileWordsJob}', '${fillingJob}') AND state <> 'set-aside'
    AND ($1::bigint IS NULL OR id <= $1::bigint)`;

type Asking = Pick<Client, 'query'>;

interface Pending {
  readonly last: string | null;
  readonly running: number;
  readonly count: number;
}

/**
 * Waits until the files are read that are asked for by now, and the views made of those that are pictures;
 * less long where no process runs jobs.
 * @param asking of the caller; what is asked while it waits is not counted among its statements.
 * @returns whether there were any.
 */
export async function awaitFiles(asking: Asking, own: Asking): Promise<boolean> {
  const pending = async (db: Asking, last: string | null) =>
    (await db.query<Pending>(pendingQuery, [last]))[0];
  const first = await pending(asking, null);
  if (!first?.last) return false;
  const began = performance.now();
  let movedAt = began;
  let pause = pauses.first;
  for (let before = first; performance.now() - began < longest; ) {
    await wait(pause);
    pause = Math.min(2 * pause, pauses.longest);
    const now = await pending(own, first.last);
    if (!now || now.count === 0) break;
    if (now.running > 0 || now.count < before.count) movedAt = performance.now();
    if (performance.now() - movedAt > untilTaken) break;
    before = now;
  }
  return true;
}
