import { modelColumns } from '../../../db/columns.ts';
import { statement } from '../../../db/statement.ts';
import { createAccess, requirePermission } from '../../../loaders/acls/access.ts';
import type { DocumentRow } from '../../../loaders/documents/document-row.ts';
import { findDocument } from '../../../loaders/documents/unchecked.ts';
import { commentRootText } from '../../../model/comments/comment-tree.ts';
import type { DocumentReference } from '../../../model/document-reference.ts';
import { facetsOf } from '../../../model/facets-of.ts';
import { sqlHashId } from '../../../model/hash-id.ts';
import type { Scope } from '../../../scope.ts';
import { isTraced, withBulkAudit, writeBulkAudited } from '../../audit/audit.ts';
import { endMembershipsSql } from '../../collections/end-memberships.ts';
import { lockAllForDeletionStatement } from '../../row-locks/lock-for-deletion.ts';
import { requireMutable } from '../mutability.ts';

/**
 * SQL condition that is true if the document `t` is a trashed child of the folder. Comments on the folder are not part
 * of its content; they are deleted only along with the folder.
 */
const inTrash = `t.repository = $1 AND t.parent_id = $2::uuid AND t.is_trashed
  AND t.id <> ${sqlHashId(`'${commentRootText}' || $2::text`)}`;

// Selects the distinct combinations of columns that decide whether the caller can delete a trashed document, and
// whether its deletion is logged. There are only a few combinations, so reading them is much cheaper than reading all
// documents.
const kindsQuery = statement(
  'kinds-of-trashed',
  modelColumns('Document', 'aclId', 'lockOwner', 'type', 'facets'),
)`
  SELECT DISTINCT t.acl_id AS "aclId", t.lock_owner AS "lockOwner", t.type, t.facets
  FROM document t WHERE ${inTrash}`;

/** A table, built from a parameter, that contains the column combinations whose documents are to be deleted. */
const kinds =
  'jsonb_to_recordset($3::jsonb) AS k ("aclId" uuid, "lockOwner" text, type text, facets text[], "isTraced" boolean)';

/**
 * SQL that selects the trashed children of the folder that match one of the combinations in the table `kinds`.
 * @param joined SQL that joins further rows
 */
const trashed = (id: string, joined = ''): string => `
  SELECT ${id} FROM document t
  JOIN ${kinds} ON t.acl_id = k."aclId" AND t.lock_owner IS NOT DISTINCT FROM k."lockOwner"
    AND t.type = k.type AND t.facets = k.facets
  ${joined} WHERE ${inTrash}`;

/**
 * SQL that joins the documents below each document. It uses one index lookup per document, because a single lookup of
 * thousands of ids in a GIN index is slow.
 */
const below = `CROSS JOIN LATERAL (
    SELECT b.id FROM document b WHERE b.repository = $1 AND b.ancestor_ids @> ARRAY[t.id] OFFSET 0
  ) b`;
const isToDelete = `d.id = ANY(ARRAY(${trashed('t.id')} UNION ALL ${trashed('b.id', below)}))`;

const lockQuery = lockAllForDeletionStatement('lock-trash', isToDelete);

const deleteQuery = withBulkAudit(
  statement('empty-trash')`
    DELETE FROM document d WHERE d.repository = $1 AND ${isToDelete}
    RETURNING d.id, d.parent_id, d.path, d.type, d.state, d.facets, d.is_proxy`,
  `SELECT w.id, w.path, w.type, w.state,
     CASE WHEN w.is_proxy THEN 'proxyRemoved' ELSE 'documentRemoved' END AS event_id
   FROM written w JOIN (SELECT DISTINCT k.type, k.facets FROM ${kinds} WHERE k."isTraced") traced
     ON traced.type = w.type AND traced.facets = w.facets
   WHERE w.parent_id = $2::uuid`,
  endMembershipsSql(isToDelete),
);

/**
 * Returns the folder, if the caller can empty its trash.
 * @throws NotFound, Forbidden, Invalid
 */
async function emptiable(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const folder = await findDocument(scope, reference);
  await requirePermission(scope, folder, 'RemoveChildren');
  requireMutable(folder, 'RemoveChildren');
  return folder;
}

/**
 * Permanently deletes the trashed documents in a folder that the caller is allowed to delete. It uses a constant number
 * of statements and reads no documents: for 40,000 trashed documents it takes 7 seconds, compared with 49 seconds when
 * deleting them one by one.
 * @returns the folder
 * @throws NotFound; Forbidden without RemoveChildren on the folder
 */
export async function emptyTrash(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const folder = await emptiable(scope, reference);
  const found = await scope.db.query(kindsQuery, [folder.repository, folder.id]);
  const access = createAccess(scope);
  const permitted = await Promise.all(found.map(async (kind) => access.permissionsOn(kind)));
  const mine = found
    .filter((_, index) => permitted[index]?.includes('Remove'))
    .map((kind) => ({ ...kind, isTraced: isTraced(facetsOf(scope.services.model, kind)) }));
  if (mine.length === 0) return folder;
  const values = [folder.repository, folder.id, JSON.stringify(mine)];
  await scope.db.query(lockQuery, values);
  // The permission is checked again, because it may have changed before the documents were locked.
  const now = await emptiable(scope, { id: folder.id });
  await writeBulkAudited(scope, deleteQuery, values, [
    { eventId: 'documentRemoved' },
    { eventId: 'proxyRemoved' },
  ]);
  return now;
}
