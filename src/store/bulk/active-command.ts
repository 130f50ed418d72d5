import type { Client } from '../../db/database.ts';
import { type RowOf, statement } from '../../db/statement.ts';
import type { BulkCommand } from '../../generated/prisma/client.ts';

/** The states of a command that has not ended. */
export const activeStates = ['SCHEDULED', 'SCROLLING_RUNNING', 'RUNNING'];

export const bulkStates = [...activeStates, 'COMPLETED', 'ABORTED'];

/** SQL condition that is true if the command has not ended. */
export const isActive = `state IN ('${activeStates.join("', '")}')`;

type Db = Pick<Client, 'query'>;
type Reading = Pick<Client, 'prisma'>;

const state = { in: activeStates };

/** @returns null if the command has ended or does not exist. */
export const findActiveCommand = (
  { prisma }: Reading,
  id: string,
): Promise<Pick<BulkCommand, 'repository' | 'username' | 'state' | 'submittedAt'> | null> =>
  prisma.bulkCommand.findFirst({
    where: { id, state },
    select: { repository: true, username: true, state: true, submittedAt: true },
  });

export const hasActiveCommand = async ({ prisma }: Reading, username: string): Promise<boolean> =>
  (await prisma.bulkCommand.findFirst({ where: { username, state }, select: { id: true } })) !== null;

const behindQuery = statement('is-index-behind-command', { isTooLate: 'bool', isBehind: 'bool' })`
  SELECT c.submitted_at < clock_timestamp() - interval '1 day' AS "isTooLate",
    EXISTS (SELECT FROM search_change s WHERE s.changed_at <= c.submitted_at) AS "isBehind"
  FROM bulk_command c WHERE c.id = $1::uuid`;

/**
 * Whether the index still lacks changes that were made before a command was submitted, and whether the command is more
 * than a day old.
 */
export async function indexLagOf(db: Db, id: string): Promise<RowOf<typeof behindQuery> | undefined> {
  return (await db.query(behindQuery, [id]))[0];
}

const endFailed = statement('end-failed-command')`
  UPDATE bulk_command SET state = 'ABORTED', error = $2, ended_at = clock_timestamp(), worked_at = clock_timestamp()
  WHERE id = $1::uuid AND ${isActive}`;

/** Aborts a command because of an error that concerns the whole command rather than individual documents. */
export const endFailedCommand = async (db: Db, id: string, error: string): Promise<void> =>
  void (await db.query(endFailed, [id, error]));
