import type { Query } from '../db/database.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { isUuid } from '../model/names.ts';
import type { Scope } from '../scope.ts';

/**
 * A document, and whoever is in it as a collection but not in a version of it, or the other way round, from the top down:
 * as everybody takes them in this order, nobody waits in a circle.
 */
const holdQuery: Query = {
  name: 'hold-members',
  text: `
    WITH version AS (
      SELECT d.id, d.live_id FROM document d WHERE d.repository = $1 AND d.id = $2::uuid AND d.is_version
    )
    SELECT FROM document d WHERE d.repository = $1 AND d.id = ANY(ARRAY(
      SELECT live_id FROM version UNION
      SELECT m.member_id FROM version JOIN collection_member m
        ON m.repository = $1 AND m.collection_id IN (version.id, version.live_id)
      GROUP BY m.member_id HAVING count(*) = 1
    ))
    ORDER BY cardinality(d.ancestor_ids), d.id FOR UPDATE`,
};

/** Holds all that `setMembers` changes when it is given a version, the collection too; nothing when there is none. */
export async function holdMembers({ db, options }: Scope, version: string): Promise<void> {
  if (isUuid(version)) await db.query(holdQuery, [options.repository, version]);
}

/** Whoever is in the collection then and was not before, or the other way round, shows it. */
const query = (name: string, areHeld: boolean): Query => ({
  name,
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
      ORDER BY cardinality(d.ancestor_ids), d.id FOR NO KEY UPDATE ${areHeld ? 'NOWAIT' : ''}
    )
    UPDATE document d SET system_token = d.system_token + 1
    FROM held WHERE d.repository = $1 AND d.id = held.id`,
});

const queries = { held: query('set-held-members', true), found: query('set-members', false) };

/**
 * Gives a collection, which is held, the members that a version of it has, as far as they are there, in their order; or
 * none at all.
 * @param areHeld whether who comes or goes is held already: then nobody is waited for who joined after that, and the
 * transaction is run again instead.
 */
export async function setMembers(
  { db }: Scope,
  live: DocumentRow,
  { version, areHeld }: { version: DocumentRow | null; areHeld: boolean },
): Promise<void> {
  await db.query(areHeld ? queries.held : queries.found, [live.repository, live.id, version?.id ?? null]);
}
