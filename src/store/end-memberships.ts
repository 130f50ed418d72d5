import type { Query } from '../db/database.ts';
import { documentColumns } from '../loaders/document-row.ts';

/** The tables for a WITH: documents `meant` by a condition, and `doomed` with them, their proxies. */
const doomedBy = (meant: string): string => `
  meant AS MATERIALIZED (
    SELECT d.id, d.is_version FROM document d WHERE d.repository = $1 AND ${meant}
  ), doomed AS MATERIALIZED (
    SELECT id, is_version FROM meant UNION
    SELECT p.id, false FROM document p
    WHERE p.repository = $1 AND p.live_id = ANY(ARRAY(SELECT id FROM meant)) AND p.is_proxy
  )`;

/** What shows memberships of which the other end is doomed: collections, versions of them too, and members. */
const otherEnds = `
  SELECT m.collection_id FROM collection_member m
  WHERE m.repository = $1 AND m.member_id = ANY(ARRAY(SELECT id FROM doomed))
  UNION ALL
  SELECT m.member_id FROM collection_member m
  WHERE m.repository = $1 AND m.collection_id = ANY(ARRAY(SELECT id FROM doomed WHERE NOT is_version))`;

/**
 * The tables for a WITH, of which `affected` are the documents which are to be deleted, and what is at the other ends of
 * their memberships.
 */
export const affectedBy = (doomed: string): string => `
  ${doomedBy(doomed)}, affected AS MATERIALIZED (SELECT id FROM doomed UNION ${otherEnds})`;

/**
 * The tables for a WITH that holds documents which are to be deleted, and what is at the other ends of their memberships,
 * all from the top down: as everybody takes them in this order, nobody waits in a circle.
 */
const heldBy = (doomed: string, row: string): string => `
  ${affectedBy(doomed)}, held AS MATERIALIZED (
    SELECT ${row} FROM document d
    WHERE d.repository = $1 AND d.id = ANY(ARRAY(SELECT id FROM affected))
    ORDER BY cardinality(d.ancestor_ids), d.id FOR UPDATE OF d
  )`;

/**
 * Holds all that deleting documents changes, and answers the rows of which the ids are $2.
 * @param doomed the condition on the documents, called `d`; $1 is the repository.
 */
export const holdWithMemberships = (name: string, doomed: string): Query => ({
  name,
  text: `
    WITH ${heldBy(doomed, 'd.id, CASE WHEN d.id = ANY($2::uuid[]) THEN d END AS row')}
    SELECT ${documentColumns} FROM held CROSS JOIN LATERAL (SELECT (held.row).*) d WHERE held.id = ANY($2::uuid[])`,
});

/** The same without an answer, for any number of documents. */
export const holdAllWithMemberships = (name: string, doomed: string): Query => ({
  name,
  text: `WITH ${heldBy(doomed, 'd.id')} SELECT count(*)::int AS count FROM held`,
});

/**
 * The write that goes with deleting documents, in the same statement: memberships go along with them, and what was at
 * the other end, and stays, shows that it has changed. That is held from the top down.
 * @param doomed the condition on the documents, called `d`; $1 is the repository. Proxies of them go along, too.
 * @param areHeld whether the other ends are held already: then nobody is waited for who came after that, and the
 * transaction is run again instead.
 */
export const endMemberships = (doomed: string, areHeld = false): string => `
  WITH ${doomedBy(doomed)}, held AS MATERIALIZED (
    SELECT d.id FROM document d
    WHERE d.repository = $1 AND d.id = ANY(ARRAY(${otherEnds}))
      AND d.id NOT IN (SELECT id FROM doomed)
    ORDER BY cardinality(d.ancestor_ids), d.id FOR NO KEY UPDATE OF d ${areHeld ? 'NOWAIT' : ''}
  )
  UPDATE document d SET system_token = d.system_token + 1
  FROM held WHERE d.repository = $1 AND d.id = held.id`;
