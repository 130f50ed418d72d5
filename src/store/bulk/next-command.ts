import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

/** A command with work to do, whose work may be under way elsewhere. */
export interface DueCommand {
  readonly id: string;
  readonly repository: string;
  readonly username: string;
  readonly state: string;
}

/** Slices that may fail in a row, each later than the one before. */
const mostAttempts = 5;

// The row of a command whose slice is under way is locked: it is skipped until that process is done, or dead.
const next = statement('next-bulk-command')`
  SELECT id, repository, username, state FROM bulk_command
  WHERE state IN ('SCHEDULED', 'SCROLLING_RUNNING', 'RUNNING')
    AND (attempts = 0 OR worked_at < clock_timestamp() - make_interval(secs => 10 * attempts))
  ORDER BY worked_at, id LIMIT 1 FOR UPDATE SKIP LOCKED`;

const fail = statement('fail-bulk-slice')`
  UPDATE bulk_command SET attempts = attempts + 1, worked_at = clock_timestamp(), error = $2,
    state = CASE WHEN $3::boolean OR attempts + 1 >= ${mostAttempts} THEN 'ABORTED' ELSE state END,
    ended_at = CASE WHEN $3::boolean OR attempts + 1 >= ${mostAttempts} THEN clock_timestamp() END
  WHERE id = $1::uuid AND state IN ('SCHEDULED', 'SCROLLING_RUNNING', 'RUNNING')`;

export async function nextBulkCommand(db: Pick<Client, 'query'>): Promise<DueCommand | undefined> {
  return (await db.query<DueCommand>(next, []))[0];
}

/** Notes that a slice failed as a whole; its command ends if that is final, or has happened too often. */
export const noteFailedSlice = (
  db: Pick<Client, 'query'>,
  id: string,
  { error, isFinal = false }: { readonly error: string; readonly isFinal?: boolean },
): Promise<unknown> => db.query(fail, [id, error, isFinal]);
