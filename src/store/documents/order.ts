import { statement } from '../../db/statement.ts';
import { Conflict, Forbidden, Invalid } from '../../errors.ts';
import { requirePermission } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { findDocument } from '../../loaders/documents/unchecked.ts';
import { type DocumentReference, referenceKey } from '../../model/document-reference.ts';
import { facetsOf } from '../../model/facets-of.ts';
import type { Scope } from '../../scope.ts';
import { withAudit, writeAudited } from '../audit/audit.ts';
import { topDown } from '../row-locks/lock-order.ts';
import { lockWithAncestors } from '../row-locks/lock-with-ancestors.ts';
import { requireNotVersion } from './mutability.ts';

// Renumbers the children of a folder with $3 before $4, or last; unchanged positions are not written. The
// rows are locked in the common order first, and nothing is written unless $3 and $4 are still children.
const orderQuery = withAudit(
  statement('order-children')`
    WITH placed AS (
      SELECT d.id, 2 * row_number() OVER (ORDER BY d.position, d.id) AS at FROM document d
      WHERE d.repository = $1 AND d.parent_id = $2::uuid
    ), wished AS (
      SELECT p.id, row_number() OVER (
        ORDER BY CASE WHEN p.id = $3::uuid THEN (SELECT b.at - 1 FROM placed b WHERE b.id = $4::uuid) ELSE p.at END
      )::int AS at FROM placed p
    ), locked AS MATERIALIZED (
      SELECT d.id, wished.at, d.position IS DISTINCT FROM wished.at AS is_new FROM wished JOIN document d ON d.repository = $1 AND d.id = wished.id
      WHERE d.position IS DISTINCT FROM wished.at OR d.id IN ($3::uuid, $4::uuid) ${topDown('NO KEY UPDATE')}
    )
    UPDATE document d SET position = locked.at FROM locked WHERE d.repository = $1 AND d.id = locked.id AND locked.is_new
      AND (SELECT count(*) FROM locked WHERE id IN ($3::uuid, $4::uuid)) = num_nonnulls($3::uuid, $4::uuid)
    RETURNING d.id`,
  'first',
);

/**
 * Puts a document before another one of its folder, or last. Children without a position follow in the order
 * of their creation.
 * @throws NotFound, Conflict; Forbidden without WriteProperties on the folder; Invalid when the folder is not
 * ordered or the other document is not in it.
 */
export async function orderDocument(
  scope: Scope,
  reference: DocumentReference,
  before: DocumentReference | null,
): Promise<DocumentRow> {
  const document = await findDocument(scope, reference);
  requireNotVersion(document);
  if (document.parentId === null) throw new Forbidden('the root of a repository stays where it is');
  const [parent] = (await lockWithAncestors(scope, [{ id: document.parentId }])).documents as [DocumentRow];
  await requirePermission(scope, parent, 'WriteProperties');
  if (!facetsOf(scope.services.model, parent).includes('Orderable')) {
    throw new Invalid(`${parent.path} is no folder whose content is put in order`);
  }
  const next = before && (await findDocument(scope, before));
  if (before && next?.parentId !== parent.id) {
    // The name as it was given: the path of a document in another folder may be unreadable to the caller.
    throw new Invalid(`before: ${referenceKey(before).value} is not in ${parent.path}`);
  }
  if (next?.id === document.id) return document;
  const values = [parent.repository, parent.id, document.id, next?.id ?? null];
  const placed = await writeAudited(scope, orderQuery, values, [
    { eventId: 'documentModified', document: parent },
  ]);
  if (placed.length > 0) return document;
  // No row was written: either the order is right already, or one of the two is gone.
  for (const { id } of next ? [next, document] : [document]) {
    const { parentId } = await findDocument(scope, { id });
    if (parentId !== parent.id) throw new Conflict(`${id} was moved meanwhile`);
  }
  return document;
}
