import { type Statement, statement } from '../../db/statement.ts';
import { type DocumentRow, documentColumns, documentRow } from '../../loaders/documents/document-row.ts';
import { topDown } from './lock-order.ts';

/**
 * Common table expressions (CTEs) for a WITH clause: `to_delete` contains the documents that match a condition, and
 * their proxies.
 * @param condition an SQL condition on documents `d`; `$1` is the repository
 */
export const deletionTables = (condition: string): string => `
  named AS MATERIALIZED (
    SELECT d.id, d.is_version FROM document d WHERE d.repository = $1 AND ${condition}
  ), to_delete AS MATERIALIZED (
    SELECT id, is_version FROM named UNION
    SELECT p.id, false FROM document p
    WHERE p.repository = $1 AND p.live_id = ANY(ARRAY(SELECT id FROM named)) AND p.is_proxy
  )`;

/**
 * SQL that selects the ids of documents related to those in `to_delete` by membership in a collection: collections,
 * their versions, and members.
 */
export const otherEnds = `
  SELECT m.collection_id FROM collection_member m
  WHERE m.repository = $1 AND m.member_id = ANY(ARRAY(SELECT id FROM to_delete))
  UNION ALL
  SELECT m.member_id FROM collection_member m
  WHERE m.repository = $1 AND m.collection_id = ANY(ARRAY(SELECT id FROM to_delete WHERE NOT is_version))`;

/**
 * Common table expressions (CTEs) for a WITH clause: `affected` contains the documents in `to_delete` and those related
 * to them by membership in a collection.
 */
export const affectedTables = (condition: string): string => `
  ${deletionTables(condition)}, affected AS MATERIALIZED (SELECT id FROM to_delete UNION ${otherEnds})`;

// A single statement locks all rows, in the same order as all other transactions. Collections and their members can be
// anywhere in the tree, so two deletions that locked row by row could deadlock.
const lockedTables = (condition: string, columns: string): string => `
  ${affectedTables(condition)}, locked AS MATERIALIZED (
    SELECT ${columns} FROM document d
    WHERE d.repository = $1 AND d.id = ANY(ARRAY(SELECT id FROM affected)) ${topDown('UPDATE')}
  )`;

/** A statement that locks all rows that a deletion changes, and that reads the documents with the ids `$2`. */
export const lockForDeletionStatement = (
  name: string,
  condition: string,
): Statement<DocumentRow> => statement(name, documentRow)`
  WITH ${lockedTables(condition, 'd.id, CASE WHEN d.id = ANY($2::uuid[]) THEN d END AS row')}
  SELECT ${documentColumns} FROM locked CROSS JOIN LATERAL (SELECT (locked.row).*) d
  WHERE locked.id = ANY($2::uuid[])`;

/** A statement that locks all rows that a deletion changes, without reading them. */
export const lockAllForDeletionStatement = (name: string, condition: string): Statement => statement(name)`
  WITH ${lockedTables(condition, 'd.id')} SELECT count(*)::int AS count FROM locked`;
