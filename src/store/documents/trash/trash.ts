import { requirePermissions } from '../../../loaders/acls/access.ts';
import type { DocumentRow } from '../../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../../model/document-reference.ts';
import { trashedName } from '../../../model/names.ts';
import type { Scope } from '../../../scope.ts';
import { lockWithFolders } from '../../row-locks/lock-with-folders.ts';
import { deleteTrees } from '../delete-document.ts';
import { withModification } from '../dublin-core.ts';
import { type Preconditions, requirePreconditions } from '../mutability.ts';
import { relocate } from '../relocate.ts';
import { saveDocument } from '../write-document.ts';

/**
 * Moves a subtree to the trash. The subtree stays in its folder under a different name, so that its former name becomes
 * free. A document that is already trashed is left unchanged; a proxy is deleted permanently.
 * @throws NotFound, Forbidden, Invalid, Conflict, PreconditionFailed
 */
export async function trashDocument(
  scope: Scope,
  reference: DocumentReference,
  conditions: Preconditions = {},
): Promise<DocumentRow> {
  const { document, parent } = await lockWithFolders(scope, reference, null);
  await requirePermissions(scope, [
    [document, 'Remove'],
    [parent, 'RemoveChildren'],
  ]);
  requirePreconditions(document, conditions);
  if (document.isProxy) {
    await deleteTrees(scope, [document]);
    return document;
  }
  if (document.isTrashed) return document;
  const name = trashedName(document.name);
  const moved = await relocate(scope, document, { parent, target: parent, name, isTrashed: true });
  const trashed = withModification(scope, moved);
  await saveDocument(scope, trashed, [{ eventId: 'documentTrashed', document: trashed }]);
  return trashed;
}
