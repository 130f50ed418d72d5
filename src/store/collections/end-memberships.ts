import { deletionTables, otherEnds } from '../row-locks/lock-for-deletion.ts';
import { topDown } from '../row-locks/lock-order.ts';

/**
 * SQL that increases the change tokens of the documents at the other end of deleted memberships: the members of a
 * deleted collection, and the collections that contain a deleted member. It is part of the statement that deletes the
 * documents. The remaining documents are already locked, except one that became a member after they were locked.
 * Waiting for that document could deadlock, so NOWAIT makes the transaction fail and be retried.
 * @param condition an SQL condition that is true for the documents `d` to delete, including their proxies; `$1` is the
 * repository
 */
export const endMembershipsSql = (condition: string): string => `
  WITH ${deletionTables(condition)}, remaining AS MATERIALIZED (
    SELECT d.id FROM document d
    WHERE d.repository = $1 AND d.id = ANY(ARRAY(${otherEnds})) AND d.id NOT IN (SELECT id FROM to_delete)
    ${topDown('NO KEY UPDATE', 'NOWAIT')}
  )
  UPDATE document d SET system_token = d.system_token + 1
  FROM remaining WHERE d.repository = $1 AND d.id = remaining.id`;
