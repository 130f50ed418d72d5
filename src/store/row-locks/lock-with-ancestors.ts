import { type Statement, statement } from '../../db/statement.ts';
import { type DocumentRow, documentColumns, documentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import type { Scope } from '../../scope.ts';
import { lockMoves } from './advisory-locks.ts';
import { affectedTables } from './lock-for-deletion.ts';
import { isReferredTo, referenceValues, rowsOfReferences } from './references.ts';

// SHARE keeps documents unchanged. UPDATE, the default, is for any change to them. DELETE additionally locks the rows
// that a deletion changes: the subtrees, and the documents related by membership in a collection.
type AncestorLockMode = 'SHARE' | 'UPDATE' | 'DELETE';

/** Options for `lockWithAncestors`. */
export interface LockOptions {
  readonly mode?: AncestorLockMode;
  /** Further documents to lock in the same mode. */
  readonly additional?: readonly DocumentReference[];
  /**
   * Whether to lock the parent folders as well; for a trashed document, all folders from that of its topmost trashed
   * ancestor down.
   */
  readonly withFolders?: boolean;
  /**
   * Whether the documents move to other folders. If so, no other transaction can lock documents along with their
   * ancestors until this one ends.
   */
  readonly isMove?: boolean;
}

/** Locked documents and their rows. */
export interface LockedDocuments {
  /** The documents that the references refer to, in the order of the references. */
  readonly documents: readonly DocumentRow[];
  readonly additional: readonly DocumentRow[];
  /** The locked documents and all of their ancestors, by id. */
  readonly byId: ReadonlyMap<string, DocumentRow>;
}

const isReferredToOrBelow = `d.id = ANY(ARRAY(
  SELECT id FROM referred UNION ALL
  SELECT b.id FROM referred CROSS JOIN LATERAL (
    SELECT b.id FROM document b WHERE b.repository = $1 AND b.ancestor_ids @> ARRAY[referred.id] OFFSET 0
  ) b
))`;

// A deletion adds documents that are locked but not read.
const deletion = {
  tables: `${affectedTables(isReferredToOrBelow)},`,
  ids: 'UNION ALL SELECT id FROM affected',
  read: 'WHERE id IN (SELECT id FROM paths)',
};
const noDeletion: typeof deletion = { tables: '', ids: '', read: '' };

// A single statement locks everything, from the top of the tree down. The `targets` get the strong lock mode; they are
// the documents referred to, the live documents of versions and proxies and, if $4 is set, the folders. The ancestors
// of all targets get KEY SHARE.
//
// `ordered` numbers all rows by depth and id, which is the order in which every transaction locks. `above` locks the
// ancestors that precede the first target. `others` then goes through the remaining rows in order; each is joined with
// the last target at or before it, which PostgreSQL locks first. That target is either already locked, or is the row
// itself. A row that is a target therefore never gets only KEY SHARE first: two transactions that both upgraded from
// KEY SHARE would deadlock. The CTEs are MATERIALIZED, and `others` counts `above`, because PostgreSQL must not merge
// or reorder these steps.
const lockQuery = (
  name: AncestorLockMode,
  mode: 'SHARE' | 'UPDATE',
  { tables, ids, read } = noDeletion,
): Statement<DocumentRow> => statement(`lock-with-ancestors-${name}`, documentRow)`
  WITH referred AS MATERIALIZED (
    SELECT d.id, d.parent_id, d.live_id, d.ancestor_ids FROM document d
    WHERE d.repository = $1 AND ${isReferredTo('d')}
  ), targets AS MATERIALIZED (
    SELECT id FROM referred
    UNION SELECT live_id FROM referred WHERE live_id IS NOT NULL
    UNION SELECT parent_id FROM referred WHERE $4::boolean AND parent_id IS NOT NULL
    UNION SELECT unnest(ARRAY[t.id, t.parent_id]) FROM referred
      JOIN document t ON t.repository = $1 AND t.id = ANY(referred.ancestor_ids) AND t.is_trashed WHERE $4::boolean
  ), paths AS MATERIALIZED (
    SELECT unnest(d.ancestor_ids || d.id) AS id FROM targets JOIN document d ON d.repository = $1 AND d.id = targets.id
  ), ${tables} ordered AS MATERIALIZED (
    SELECT o.id, row_number() OVER (ORDER BY cardinality(o.ancestor_ids), o.id) AS position,
      o.id IN (SELECT id FROM targets ${ids}) AS is_target
    FROM document o WHERE o.repository = $1 AND o.id IN (SELECT id FROM paths ${ids})
  ), paired AS MATERIALIZED (
    SELECT id, position, max(position) FILTER (WHERE is_target) OVER (ORDER BY position) AS target_position FROM ordered
  ), above AS MATERIALIZED (
    SELECT ${documentColumns} FROM paired JOIN document d ON d.repository = $1 AND d.id = paired.id
    WHERE paired.target_position IS NULL
    ORDER BY paired.position FOR KEY SHARE OF d
  ), others AS MATERIALIZED (
    SELECT ${documentColumns} FROM paired JOIN paired t ON t.position = paired.target_position
    JOIN document target ON target.repository = $1 AND target.id = t.id
    JOIN document d ON d.repository = $1 AND d.id = paired.id
    WHERE (SELECT count(*) FROM above) >= 0
    ORDER BY paired.position FOR ${mode} OF target FOR KEY SHARE OF d
  )
  SELECT * FROM (SELECT * FROM above UNION ALL SELECT * FROM others) locked ${read}`;

const queries: Readonly<Record<AncestorLockMode, Statement<DocumentRow>>> = {
  SHARE: lockQuery('SHARE', 'SHARE'),
  UPDATE: lockQuery('UPDATE', 'UPDATE'),
  DELETE: lockQuery('DELETE', 'UPDATE', deletion),
};

/**
 * Locks and reads any number of documents in one statement, without checking permissions. Until the transaction ends,
 * nobody can move or delete the documents or their ancestors, and no ACL of an ancestor can change.
 * @throws NotFound
 */
export async function lockWithAncestors(
  { db, options: { repository } }: Scope,
  references: readonly DocumentReference[],
  { mode = 'UPDATE', additional = [], withFolders = false, isMove = false }: LockOptions = {},
): Promise<LockedDocuments> {
  const all = [...references, ...additional];
  const values = [repository, ...referenceValues(all), withFolders];
  await lockMoves(db, repository, isMove ? 'exclusive' : 'shared');
  const rows = await db.query(queries[mode], values);
  const found = rowsOfReferences(all, rows);
  return {
    documents: found.slice(0, references.length),
    additional: found.slice(references.length),
    byId: new Map(rows.map((row) => [row.id, row])),
  };
}
