import { deletionTables, otherEnds } from '../row-locks/lock-for-deletion.ts';
import { topDown } from '../row-locks/lock-order.ts';

/**
 * The write that goes into the statement that deletes documents: the change tokens of the remaining ends of
 * their memberships are raised. Those are locked already; one that joined since is not waited for, and the
 * transaction is run again instead.
 * @param condition on documents `d`, with which their proxies go; `$1` is the repository.
 */
export const endMembershipsSql = (condition: string): string => `
  WITH ${deletionTables(condition)}, remaining AS MATERIALIZED (
    SELECT d.id FROM document d
    WHERE d.repository = $1 AND d.id = ANY(ARRAY(${otherEnds})) AND d.id NOT IN (SELECT id FROM to_delete)
    ${topDown('NO KEY UPDATE', 'NOWAIT')}
  )
  UPDATE document d SET system_token = d.system_token + 1
  FROM remaining WHERE d.repository = $1 AND d.id = remaining.id`;
