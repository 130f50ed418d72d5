import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { Invalid } from '../../errors.ts';

const above = statement('groups-above')`
  WITH RECURSIVE above (id) AS (
    SELECT $1::text
    UNION
    SELECT m.group_id FROM above JOIN group_membership m ON m.member_id = above.id
  )
  SELECT id FROM above WHERE id = ANY($2::text[])`;

/** Needs `lockNesting`. @throws Invalid when a member is the group itself, or contains it. */
export async function requireNoLoop(db: Client, group: string, members: readonly string[]): Promise<void> {
  if (members.length === 0) return;
  const around = await db.query<{ id: string }>(above, [group, members]);
  if (around.length === 0) return;
  const names = around.map(({ id }) => id).join(', ');
  throw new Invalid(`${group} cannot have as a member group what it is in itself: ${names}`);
}
