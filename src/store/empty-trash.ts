import { createAccess } from '../loaders/access.ts';
import { type DocumentRow, documentQuery } from '../loaders/document-row.ts';
import type { Scope } from '../scope.ts';
import { deleteTrees } from './delete-document.ts';
import { type DocumentReference, lockDocument } from './lock-document.ts';

const trashedQuery = documentQuery(
  'hold-trashed',
  'WHERE d.repository = $1 AND d.parent_id = $2::uuid AND d.is_trashed ORDER BY d.id FOR UPDATE',
);

/**
 * Deletes for good what is in the trash directly in a folder, with everything below, as far as the caller may.
 * @returns the folder.
 * @throws NotFound; Forbidden without RemoveChildren on the folder.
 */
export async function emptyTrash(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const folder = await lockDocument(scope, reference, { hold: 'SHARE', needs: 'RemoveChildren' });
  const trashed = await scope.db.query<DocumentRow>(trashedQuery, [folder.repository, folder.id]);
  const access = createAccess(scope);
  const held = await Promise.all(trashed.map((row) => access.held(row)));
  const doomed = trashed.filter((_, index) => held[index]?.includes('Remove'));
  if (doomed.length > 0) await deleteTrees(scope, doomed);
  return folder;
}
