import { modelColumns } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { type RowOf, statement } from '../../db/statement.ts';

/** The states of a command that has not ended. */
export const activeStates = ['SCHEDULED', 'SCROLLING_RUNNING', 'RUNNING'];

export const bulkStates = [...activeStates, 'COMPLETED', 'ABORTED'];

/** SQL condition: the command has not ended. */
export const isActive = `state IN ('${activeStates.join("', '")}')`;

type Db = Pick<Client, 'query'>;

const find = statement(
  'find-active-command',
  modelColumns('BulkCommand', 'repository', 'username', 'state', 'submittedAt'),
)`
  SELECT repository, username, state, submitted_at AS "submittedAt" FROM bulk_command WHERE id = $1::uuid AND ${isActive}`;

/** @returns undefined if the command has ended or does not exist. */
export async function findActiveCommand(db: Db, id: string): Promise<RowOf<typeof find> | undefined> {
  return (await db.query(find, [id]))[0];
}

const findOfUser = statement('find-active-command-of-user')`
  SELECT id FROM bulk_command WHERE username = $1 AND ${isActive} LIMIT 1`;

export const hasActiveCommand = async (db: Db, user: string): Promise<boolean> =>
  (await db.query(findOfUser, [user])).length > 0;

const behindQuery = statement('is-index-behind-command', { isTooLate: 'bool', isBehind: 'bool' })`
  SELECT c.submitted_at < clock_timestamp() - interval '1 day' AS "isTooLate",
    EXISTS (SELECT FROM search_change s WHERE s.changed_at <= c.submitted_at) AS "isBehind"
  FROM bulk_command c WHERE c.id = $1::uuid`;

/**
 * Whether changes that were made before a command are not indexed yet, and whether the command is more than a
 * day old.
 */
export async function indexLagOf(db: Db, id: string): Promise<RowOf<typeof behindQuery> | undefined> {
  return (await db.query(behindQuery, [id]))[0];
}

const endFailed = statement('end-failed-command')`
  UPDATE bulk_command SET state = 'ABORTED', error = $2, ended_at = clock_timestamp(), worked_at = clock_timestamp()
  WHERE id = $1::uuid AND ${isActive}`;

/** Aborts a command because of an error that concerns all of it rather than single documents. */
export const endFailedCommand = async (db: Db, id: string, error: string): Promise<void> =>
  void (await db.query(endFailed, [id, error]));
