/** What shows memberships of which the other end is doomed: collections, versions of them too, and members. */
const otherEnds = `
  SELECT m.collection_id FROM collection_member m
  WHERE m.repository = $1 AND m.member_id = ANY(ARRAY(SELECT id FROM doomed))
  UNION ALL
  SELECT m.member_id FROM collection_member m
  WHERE m.repository = $1 AND m.collection_id = ANY(ARRAY(SELECT id FROM doomed WHERE NOT is_version))`;

/**
 * The write that goes with deleting documents, in the same statement: memberships go along with them, and what was at
 * the other end, and stays, shows that it has changed. That is held from the top down.
 * @param doomed the condition on the documents, called `d`; $1 is the repository. Proxies of them go along, too.
 */
export const endMemberships = (doomed: string): string => `
  WITH named AS MATERIALIZED (
    SELECT d.id, d.is_version FROM document d WHERE d.repository = $1 AND ${doomed}
  ), doomed AS MATERIALIZED (
    SELECT id, is_version FROM named UNION
    SELECT p.id, false FROM document p
    WHERE p.repository = $1 AND p.live_id = ANY(ARRAY(SELECT id FROM named)) AND p.is_proxy
  ), held AS MATERIALIZED (
    SELECT d.id FROM document d
    WHERE d.repository = $1 AND d.id = ANY(ARRAY(${otherEnds}))
      AND d.id NOT IN (SELECT id FROM doomed)
    ORDER BY cardinality(d.ancestor_ids), d.id FOR NO KEY UPDATE
  )
  UPDATE document d SET system_token = d.system_token + 1
  FROM held WHERE d.repository = $1 AND d.id = held.id`;
