import type { Query } from '../db/database.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { Scope } from '../scope.ts';
import { memberFacet } from './collections.ts';

/** Whoever is in the collection then and was not before, or the other way round, shows it. */
const query: Query = {
  name: 'restore-members',
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
    )
    UPDATE document d SET system_token = d.system_token + 1,
      facets = CASE WHEN $4 = ANY(d.facets) OR NOT changed.is_new THEN d.facets ELSE d.facets || $4::text END
    FROM (SELECT id, false AS is_new FROM gone UNION ALL SELECT id, true FROM placed WHERE is_new) changed
    WHERE d.repository = $1 AND d.id = changed.id`,
};

/** Gives a collection, which is held, the members that a version of it has, as far as they are there, in their order. */
export async function restoreMembers({ db }: Scope, live: DocumentRow, version: DocumentRow): Promise<void> {
  await db.query(query, [live.repository, live.id, version.id, memberFacet]);
}
