import type { Client, Query } from '../../db/database.ts';
import { Invalid } from '../../errors.ts';

/** Any number that is ours alone. */
const advisoryLock = 7_115_472;

/** Held until the end of the transaction. */
const takeTurns: Query = { name: 'nesting-turn', text: 'SELECT pg_advisory_xact_lock($1)::text' };

const above: Query = {
  name: 'groups-above',
  text: `
    WITH RECURSIVE above (id) AS (
      SELECT $1::text
      UNION
      SELECT m.group_id FROM above JOIN group_membership m ON m.member_id = above.id
    )
    SELECT id FROM above WHERE id = ANY($2::text[])`,
};

/**
 * Waits for whoever nests groups, and keeps others waiting: to be called before any row is held, by whoever may come to
 * nest. Of two that nest at once, the later one sees what the earlier one did.
 */
export const awaitNesting = async (db: Client): Promise<void> =>
  void (await db.query(takeTurns, [advisoryLock]));

/**
 * Makes sure that no group comes to be in itself, as long as nobody else nests.
 * @throws Invalid when one of the members is the group itself, or a group that it is in.
 */
export async function requireNoLoop(db: Client, group: string, members: readonly string[]): Promise<void> {
  if (members.length === 0) return;
  const around = await db.query<{ id: string }>(above, [group, members]);
  if (around.length === 0) return;
  const names = around.map(({ id }) => id).join(', ');
  throw new Invalid(`${group} cannot have as a member group what it is in itself: ${names}`);
}
