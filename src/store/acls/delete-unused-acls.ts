import type { Database } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

const day = 86_400;

// `idle` selects effective ACLs that have not been used for a while and that no row of the search index points to.
// Usually, there are none, because the index contains nearly all documents. If there are some, `used` reads all
// documents once.
//
// An effective ACL that is in use is never deleted. A change that points documents to one first locks its row and sets
// `used_at` to now; the DELETE waits for that row and then evaluates its condition again. A new document points to the
// effective ACL of its parent, whose row is locked.
const query = statement('delete-unused-acls', { count: 'int4' })`
  WITH idle AS MATERIALIZED (
    SELECT e.repository, e.id FROM effective_acl e WHERE e.used_at < now() - make_interval(secs => $1::int)
      AND NOT EXISTS (SELECT FROM search_document s WHERE s.repository = e.repository AND s.acl_id = e.id)
  ), used AS MATERIALIZED (
    SELECT DISTINCT d.repository, d.acl_id FROM document d WHERE EXISTS (SELECT FROM idle)
  ), deleted AS (
    DELETE FROM effective_acl e USING idle
    WHERE e.repository = idle.repository AND e.id = idle.id AND e.used_at < now() - make_interval(secs => $1::int)
      AND NOT EXISTS (SELECT FROM used u WHERE u.repository = idle.repository AND u.acl_id = idle.id)
    RETURNING 1
  )
  SELECT count(*)::int AS count FROM deleted`;

/**
 * Deletes effective ACLs that no document points to.
 * @param grace the number of seconds that must have passed since an ACL was last used; the grace period is needed
 * because a request may have read a document, but not yet its ACL
 * @returns the number of deleted effective ACLs
 */
export async function deleteUnusedAcls(database: Pick<Database, 'query'>, grace = day): Promise<number> {
  const [deleted] = await database.query(query, [grace]);
  return deleted?.count ?? 0;
}
