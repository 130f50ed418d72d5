import { Forbidden } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { type DocumentReference, lockDocument, requireMatch } from './lock-document.ts';

/**
 * Deletes a document and everything below it, for good (§3).
 * @param ifMatch change tokens, one of which must be the document's.
 * @returns the id of the document that was.
 * @throws NotFound, PreconditionFailed; Forbidden for the root, which every repository has.
 */
export async function deleteDocument(
  scope: Scope,
  reference: DocumentReference,
  ifMatch?: readonly string[] | null,
): Promise<string> {
  const document = await lockDocument(scope, reference, 'UPDATE');
  const { repository, id } = document;
  if (document.path === '/') throw new Forbidden('the root of a repository cannot be deleted');
  requireMatch(document, ifMatch);
  // A document created meanwhile below one of these is none of them yet: the foreign key takes it along.
  await scope.db.prisma.document.deleteMany({
    where: { repository, OR: [{ id }, { ancestorIds: { has: id } }] },
  });
  return id;
}
