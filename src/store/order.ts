import { Conflict, Forbidden, Invalid } from '../errors.ts';
import { requirePermission } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { facetsOf } from '../model/facets-of.ts';
import type { Scope } from '../scope.ts';
import { recorded, write } from './audit.ts';
import { holdInOrder } from './hold-in-order.ts';
import { addressOf, type DocumentReference, findDocument, requireLive } from './lock-document.ts';

/**
 * Numbers the children of a folder anew, with $3 before $4, or behind all of them; what stays in place is not written.
 * All that changes is held at once, in the order in which everybody takes rows, and nothing is written without the two.
 */
const orderQuery = recorded(
  {
    name: 'order-children',
    text: `
      WITH placed AS (
        SELECT d.id, 2 * row_number() OVER (ORDER BY d.position, d.id) AS at FROM document d
        WHERE d.repository = $1 AND d.parent_id = $2::uuid
      ), wished AS (
        SELECT p.id, row_number() OVER (
          ORDER BY CASE WHEN p.id = $3::uuid THEN (SELECT b.at - 1 FROM placed b WHERE b.id = $4::uuid) ELSE p.at END
        )::int AS at FROM placed p
      ), held AS MATERIALIZED (
        SELECT d.id, wished.at, d.position IS DISTINCT FROM wished.at AS is_new FROM wished JOIN document d ON d.repository = $1 AND d.id = wished.id
        WHERE d.position IS DISTINCT FROM wished.at OR d.id IN ($3::uuid, $4::uuid) ORDER BY d.id FOR NO KEY UPDATE OF d
      )
      UPDATE document d SET position = held.at FROM held WHERE d.repository = $1 AND d.id = held.id AND held.is_new
        AND (SELECT count(*) FROM held WHERE id IN ($3::uuid, $4::uuid)) = num_nonnulls($3::uuid, $4::uuid)
      RETURNING d.id`,
  },
  'first',
);

/**
 * Puts a document before another one of its folder, or behind all others when none is named. New documents come behind
 * those that have a place, in the order in which they were created.
 * @throws NotFound, Conflict; Forbidden without WriteProperties on the folder; Invalid when it is no folder that users put in
 * order, or the other document is not in it.
 */
export async function orderDocument(
  scope: Scope,
  reference: DocumentReference,
  before: DocumentReference | null,
): Promise<DocumentRow> {
  const document = await findDocument(scope, reference);
  requireLive(document);
  if (document.parentId === null) throw new Forbidden('the root of a repository stays where it is');
  const [parent] = (await holdInOrder(scope, [{ id: document.parentId }])).documents as [DocumentRow];
  await requirePermission(scope, parent, 'WriteProperties');
  if (!facetsOf(scope.model, parent).includes('Orderable')) {
    throw new Invalid(`${parent.path} is no folder whose content is put in order`);
  }
  const next = before && (await findDocument(scope, before));
  if (before && next?.parentId !== parent.id) {
    // As it was named: where it is, is not for everybody to know.
    throw new Invalid(`before: ${addressOf(before).value} is not in ${parent.path}`);
  }
  if (next?.id === document.id) return document;
  const values = [parent.repository, parent.id, document.id, next?.id ?? null];
  const placed = await write(scope, orderQuery, values, [{ eventId: 'documentModified', document: parent }]);
  if (placed.length > 0) return document;
  // Nothing changes its place: or one of the two has gone meanwhile.
  for (const { id } of next ? [next, document] : [document]) {
    const { parentId } = await findDocument(scope, { id });
    if (parentId !== parent.id) throw new Conflict(`${id} was moved meanwhile`);
  }
  return document;
}
