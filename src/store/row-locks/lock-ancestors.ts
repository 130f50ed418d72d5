import { modelColumns } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import { byReference, queryByReference } from '../../loaders/documents/by-reference.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import type { Scope } from '../../scope.ts';
import { topDown } from './lock-order.ts';

const queries = byReference(
  (by, condition) => statement(`lock-ancestors-${by}`, modelColumns('Document', 'id'))`
  SELECT d.id FROM document below JOIN document d ON d.repository = below.repository AND d.id = ANY(below.ancestor_ids)
  WHERE below.repository = $1 AND ${condition('below')} ${topDown('KEY SHARE')}`,
);

/**
 * Locks the ancestors of a document in KEY SHARE mode, so that none of their ACLs changes until the transaction ends.
 * Other changes to the ancestors are still possible, as is creating documents below them.
 * @returns the ids of the ancestors, from the root down; empty if there is no such document
 */
export async function lockAncestors(scope: Scope, reference: DocumentReference): Promise<string[]> {
  return (await queryByReference(scope, queries, reference)).map(({ id }) => id);
}
