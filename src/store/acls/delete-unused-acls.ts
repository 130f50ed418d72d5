import type { Database } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

const day = 86_400;

// The search index, which has all documents, shows of nearly every effective ACL that it is in use. All
// documents are read, once, only when some effective ACLs seem to be unused.
//
// A change that points documents to an effective ACL locks its row first and sets `used_at` to now: the
// DELETE waits for that row and tests its condition again. A new document points to what its parent points
// to, whose row is locked.
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
 * Deletes the effective ACLs that no document points to, and resolves with how many.
 * @param grace seconds since they were last used: a request may have read a document, and not yet its ACL.
 */
export async function deleteUnusedAcls(database: Pick<Database, 'query'>, grace = day): Promise<number> {
  const [deleted] = await database.query(query, [grace]);
  return deleted?.count ?? 0;
}
