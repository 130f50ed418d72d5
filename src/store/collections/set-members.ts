import { type Statement, statement } from '../../db/statement.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { Scope } from '../../scope.ts';
import { topDown } from '../row-locks/lock-order.ts';

// Raises the change tokens of documents that join or leave the collection.
const query = (name: string, wait: '' | 'NOWAIT'): Statement => statement(name)`
  WITH wanted AS (
    SELECT member_id, position FROM collection_member WHERE repository = $1 AND collection_id = $3::uuid
  ), gone AS (
    DELETE FROM collection_member WHERE repository = $1 AND collection_id = $2::uuid
      AND member_id NOT IN (SELECT member_id FROM wanted)
    RETURNING member_id AS id
  ), placed AS (
    INSERT INTO collection_member (repository, collection_id, member_id, position)
    SELECT $1, $2::uuid, member_id, position FROM wanted
    ON CONFLICT (repository, collection_id, member_id) DO UPDATE SET position = excluded.position
    RETURNING member_id AS id, xmax = 0 AS is_new
  ), changed AS MATERIALIZED (
    SELECT d.id FROM document d
    WHERE d.repository = $1 AND d.id IN (SELECT id FROM gone UNION ALL SELECT id FROM placed WHERE is_new)
    ${topDown('NO KEY UPDATE', wait)}
  )
  UPDATE document d SET system_token = d.system_token + 1
  FROM changed WHERE d.repository = $1 AND d.id = changed.id`;

const queries = { locked: query('set-locked-members', 'NOWAIT'), unlocked: query('set-members', '') };

/**
 * Gives a locked collection the members that a version of it has, as far as they exist, in their order; none
 * without a version.
 * @param areLocked whether the members that join or leave are locked already. One that joined since is not
 * waited for, and the transaction is run again instead.
 */
export async function setMembers(
  { db }: Scope,
  live: DocumentRow,
  { version, areLocked }: { version: DocumentRow | null; areLocked: boolean },
): Promise<void> {
  const values = [live.repository, live.id, version?.id ?? null];
  await db.query(areLocked ? queries.locked : queries.unlocked, values);
}
