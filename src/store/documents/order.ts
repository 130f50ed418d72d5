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

// Places the child $3 of a folder before $4, or at the end, and renumbers the children. `placed` gives the children
// even numbers, so that `reordered` can place $3 between two of them; it then numbers them without gaps. Only changed
// positions are written. The rows are locked first, in the same order as in all other transactions, and nothing is
// written unless both $3 and $4 are still children.
const orderQuery = withAudit(
  statement('order-children')`
    WITH placed AS (
      SELECT d.id, 2 * row_number() OVER (ORDER BY d.position, d.id) AS at FROM document d
      WHERE d.repository = $1 AND d.parent_id = $2::uuid
    ), reordered AS (
      SELECT p.id, row_number() OVER (
        ORDER BY CASE WHEN p.id = $3::uuid THEN (SELECT b.at - 1 FROM placed b WHERE b.id = $4::uuid) ELSE p.at END
      )::int AS at FROM placed p
    ), locked AS MATERIALIZED (
      SELECT d.id, reordered.at, d.position IS DISTINCT FROM reordered.at AS is_new FROM reordered JOIN document d ON d.repository = $1 AND d.id = reordered.id
      WHERE d.position IS DISTINCT FROM reordered.at OR d.id IN ($3::uuid, $4::uuid) ${topDown('NO KEY UPDATE')}
    )
    UPDATE document d SET position = locked.at FROM locked WHERE d.repository = $1 AND d.id = locked.id AND locked.is_new
      AND (SELECT count(*) FROM locked WHERE id IN ($3::uuid, $4::uuid)) = num_nonnulls($3::uuid, $4::uuid)
    RETURNING d.id`,
  'first',
);

/**
 * Places a document before another one in its folder, or at the end. Children without a position follow the others, in
 * the order of their creation.
 * @throws NotFound, Conflict; Forbidden without WriteProperties on the folder; Invalid if the folder is not ordered or
 * the other document is not in it
 */
export async function orderDocument(
  scope: Scope,
  reference: DocumentReference,
  before: DocumentReference | null,
): Promise<DocumentRow> {
  const document = await findDocument(scope, reference);
  requireNotVersion(document);
  if (document.parentId === null) throw new Forbidden('The root of a repository cannot be moved.');
  const [parent] = (await lockWithAncestors(scope, [{ id: document.parentId }])).documents as [DocumentRow];
  await requirePermission(scope, parent, 'WriteProperties');
  if (!facetsOf(scope.services.model, parent).includes('Orderable')) {
    throw new Invalid(
      `The folder ${parent.path} is not ordered, because it does not have the facet Orderable.`,
    );
  }
  const next = before && (await findDocument(scope, before));
  if (before && next?.parentId !== parent.id) {
    // The message repeats the reference that the caller has sent, because the caller may not be allowed to see the path
    // of a document in another folder.
    throw new Invalid(`before: ${referenceKey(before).value} is not in ${parent.path}`);
  }
  if (next?.id === document.id) return document;
  const values = [parent.repository, parent.id, document.id, next?.id ?? null];
  const placed = await writeAudited(scope, orderQuery, values, [
    { eventId: 'documentModified', document: parent },
  ]);
  if (placed.length > 0) return document;
  // No row was written: either the order was already right, or one of the two documents is no longer in the folder.
  for (const { id } of next ? [next, document] : [document]) {
    const { parentId } = await findDocument(scope, { id });
    if (parentId !== parent.id)
      throw new Conflict(`The document ${id} was moved in the meantime. Try again.`);
  }
  return document;
}
