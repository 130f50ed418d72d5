import type { Query } from '../db/database.ts';
import { Forbidden } from '../errors.ts';
import { notGranted, requirePermission } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { Scope } from '../scope.ts';
import { type DocumentReference, lockDocument, requireMatch } from './lock-document.ts';

/**
 * A document and all below it, held from the top down: as everybody takes them in this order, nobody who creates or
 * deletes below waits for us while we wait for him.
 */
const holdTree: Query = {
  name: 'hold-tree',
  text: `
    SELECT FROM document WHERE repository = $1 AND (id = $2::uuid OR ancestor_ids @> ARRAY[$2::uuid])
    ORDER BY cardinality(ancestor_ids), id FOR UPDATE`,
};

const parentQuery: Query = {
  name: 'acl-of-parent',
  text: 'SELECT d.acl_id AS "aclId" FROM document d WHERE d.repository = $1 AND d.id = $2::uuid',
};

/** §4.1: deleting needs a permission on the parent too. */
async function requireOnParent(scope: Scope, { repository, parentId }: DocumentRow): Promise<void> {
  if (parentId === null || scope.user.isAdministrator) return;
  const [parent] = await scope.db.query<Pick<DocumentRow, 'aclId'>>(parentQuery, [repository, parentId]);
  if (!parent) throw notGranted(scope, 'RemoveChildren');
  await requirePermission(scope, parent, 'RemoveChildren');
}

/**
 * Deletes a document and everything below it, for good (§3).
 * @param ifMatch change tokens, one of which must be the document's.
 * @returns the id of the document that was.
 * @throws NotFound, PreconditionFailed; Forbidden without the rights, and for the root, which every repository has.
 */
export async function deleteDocument(
  scope: Scope,
  reference: DocumentReference,
  ifMatch?: readonly string[] | null,
): Promise<string> {
  const document = await lockDocument(scope, reference, { hold: 'UPDATE', needs: 'Remove' });
  const { repository, id } = document;
  if (document.path === '/') throw new Forbidden('the root of a repository cannot be deleted');
  await requireOnParent(scope, document);
  requireMatch(document, ifMatch);
  await scope.db.query(holdTree, [repository, id]);
  // A document created meanwhile below one of these is none of them yet: the foreign key takes it along.
  await scope.db.prisma.document.deleteMany({
    where: { repository, OR: [{ id }, { ancestorIds: { has: id } }] },
  });
  return id;
}
