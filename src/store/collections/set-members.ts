import { type Statement, statement } from '../../db/statement.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { Scope } from '../../scope.ts';
import { topDown } from '../row-locks/lock-order.ts';

// Replaces the members of a collection with the members of its version, and increases the change tokens of documents
// that join or leave it. `desired` contains the members of the version. `gone` and `placed` delete and insert rows;
// `xmax = 0` tells inserted rows from updated ones. `changed` locks the documents that joined or left before they are
// updated, in the same order as all other transactions: a plain UPDATE would lock them in an arbitrary order and could
// deadlock.
const query = (name: string, wait: '' | 'NOWAIT'): Statement => statement(name)`
  WITH desired AS (
    SELECT member_id, position FROM collection_member WHERE repository = $1 AND collection_id = $3::uuid
  ), gone AS (
    DELETE FROM collection_member WHERE repository = $1 AND collection_id = $2::uuid
      AND member_id NOT IN (SELECT member_id FROM desired)
    RETURNING member_id AS id
  ), placed AS (
    INSERT INTO collection_member (repository, collection_id, member_id, position)
    SELECT $1, $2::uuid, member_id, position FROM desired
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
 * Replaces the members of a locked collection with those members of its version that still exist, in the same order.
 * Without a version, the collection becomes empty.
 * @param state `areLocked` tells whether the members that join or leave are already locked. Waiting for a document that
 * became a member after they were locked could deadlock, so the transaction is retried instead.
 */
export async function setMembers(
  { db }: Scope,
  live: DocumentRow,
  { version, areLocked }: { version: DocumentRow | null; areLocked: boolean },
): Promise<void> {
  const values = [live.repository, live.id, version?.id ?? null];
  await db.query(areLocked ? queries.locked : queries.unlocked, values);
}
