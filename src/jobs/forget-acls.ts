import type { Database, Query } from '../db/database.ts';

const day = 86_400;

/**
 * What counts on a document counts on the nearest one above that has ACLs of its own, or on the root: those alone tell
 * of nearly every effective ACL that it is in use. All documents are looked at, once, only when some seem not to be.
 *
 * Whoever points documents to an effective ACL has its row first, and its time is now from then on: the row is looked
 * at again once it is free. Whoever creates a document points it to what the parent points to, and holds the parent.
 */
const query: Query = {
  name: 'forget-acls',
  text: `
    WITH known AS MATERIALIZED (
      SELECT d.repository, d.acl_id FROM document_acl a
      JOIN document d ON d.repository = a.repository AND d.id = a.document_id
      UNION SELECT d.repository, d.acl_id FROM document d WHERE d.path = '/'
    ), idle AS MATERIALIZED (
      SELECT e.repository, e.id FROM effective_acl e WHERE e.used_at < now() - make_interval(secs => $1::int)
        AND NOT EXISTS (SELECT FROM known k WHERE k.repository = e.repository AND k.acl_id = e.id)
    ), used AS MATERIALIZED (
      SELECT DISTINCT d.repository, d.acl_id FROM document d WHERE EXISTS (SELECT FROM idle)
    ), gone AS (
      DELETE FROM effective_acl e USING idle
      WHERE e.repository = idle.repository AND e.id = idle.id AND e.used_at < now() - make_interval(secs => $1::int)
        AND NOT EXISTS (SELECT FROM used u WHERE u.repository = idle.repository AND u.acl_id = idle.id)
      RETURNING 1
    )
    SELECT count(*)::int AS count FROM gone`,
};

/**
 * Deletes the effective ACLs that no document points to any more; answers how many.
 * @param grace seconds that somebody who has just read a document may take to read what it points to.
 */
export async function forgetAcls(database: Database, grace = day): Promise<number> {
  const [gone] = await database.query<{ count: number }>(query, [grace]);
  return gone?.count ?? 0;
}
