import type { Database, Query } from '../db/database.ts';

const day = 86_400;

/**
 * Whoever points documents to an effective ACL has its row first, and its time is now from then on: the row is looked
 * at again once it is free. Whoever creates a document points it to what the parent points to, and holds the parent.
 */
const query: Query = {
  name: 'forget-acls',
  text: `
    WITH gone AS (
      DELETE FROM effective_acl e WHERE e.used_at < now() - make_interval(secs => $1::int)
        AND NOT EXISTS (SELECT FROM document d WHERE d.repository = e.repository AND d.acl_id = e.id)
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
