import { type Statement, statement } from '../../db/statement.ts';
import { type DocumentRow, documentColumns, documentRow } from '../../loaders/documents/document-row.ts';
import { topDown } from './lock-order.ts';

/**
 * Tables for a WITH: `doomed` are the documents of a condition, and their proxies.
 * @param condition on documents `d`; `$1` is the repository.
 */
export const doomedTables = (condition: string): string => `
  named AS MATERIALIZED (
    SELECT d.id, d.is_version FROM document d WHERE d.repository = $1 AND ${condition}
  ), doomed AS MATERIALIZED (
    SELECT id, is_version FROM named UNION
    SELECT p.id, false FROM document p
    WHERE p.repository = $1 AND p.live_id = ANY(ARRAY(SELECT id FROM named)) AND p.is_proxy
  )`;

/** Ids at the other ends of the memberships of `doomed`: collections, their versions, and members. */
export const otherEnds = `
  SELECT m.collection_id FROM collection_member m
  WHERE m.repository = $1 AND m.member_id = ANY(ARRAY(SELECT id FROM doomed))
  UNION ALL
  SELECT m.member_id FROM collection_member m
  WHERE m.repository = $1 AND m.collection_id = ANY(ARRAY(SELECT id FROM doomed WHERE NOT is_version))`;

/** Tables for a WITH: `affected` are `doomed` documents and those at the other ends of their memberships. */
export const affectedTables = (condition: string): string => `
  ${doomedTables(condition)}, affected AS MATERIALIZED (SELECT id FROM doomed UNION ${otherEnds})`;

// In one statement: memberships lead up and down the tree, so two deletes that lock row by row would
// deadlock.
const lockedTables = (condition: string, columns: string): string => `
  ${affectedTables(condition)}, locked AS MATERIALIZED (
    SELECT ${columns} FROM document d
    WHERE d.repository = $1 AND d.id = ANY(ARRAY(SELECT id FROM affected)) ${topDown('UPDATE')}
  )`;

/** Locks all rows that deleting documents changes, and reads those with the ids `$2`. */
export const lockForDeletionStatement = (
  name: string,
  condition: string,
): Statement<DocumentRow> => statement(name, documentRow)`
  WITH ${lockedTables(condition, 'd.id, CASE WHEN d.id = ANY($2::uuid[]) THEN d END AS row')}
  SELECT ${documentColumns} FROM locked CROSS JOIN LATERAL (SELECT (locked.row).*) d
  WHERE locked.id = ANY($2::uuid[])`;

/** The same, which reads no rows. */
export const lockAllForDeletionStatement = (name: string, condition: string): Statement => statement(name)`
  WITH ${lockedTables(condition, 'd.id')} SELECT count(*)::int AS count FROM locked`;
