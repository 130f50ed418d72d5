import type { Query } from '../db/database.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { Scope } from '../scope.ts';

/** Whoever is in the collection then and was not before, or the other way round, shows it. */
const query: Query = {
  name: 'set-members',
  text: `
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
    ), held AS MATERIALIZED (
      SELECT d.id FROM document d
      WHERE d.repository = $1 AND d.id IN (SELECT id FROM gone UNION ALL SELECT id FROM placed WHERE is_new)
      ORDER BY cardinality(d.ancestor_ids), d.id FOR NO KEY UPDATE
    )
    UPDATE document d SET system_token = d.system_token + 1
    FROM held WHERE d.repository = $1 AND d.id = held.id`,
};

/**
 * Gives a collection, which is held, the members that a version of it has, as far as they are there, in their order; or
 * none at all.
 */
export async function setMembers(
  { db }: Scope,
  live: DocumentRow,
  version: DocumentRow | null,
): Promise<void> {
  await db.query(query, [live.repository, live.id, version?.id ?? null]);
}
