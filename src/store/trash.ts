import { requirePermissions } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { trashedName } from '../model/names.ts';
import type { Scope } from '../scope.ts';
import { deleteTrees } from './delete-document.ts';
import { touched } from './dublin-core.ts';
import { holdPlaces } from './hold-places.ts';
import type { DocumentReference } from './lock-document.ts';
import { relocate } from './relocate.ts';
import { saveDocument } from './write-document.ts';

/**
 * Puts a document with all below it into the trash: it stays in its folder, under a name that leaves its own to others.
 * One that is there already stays as it is; a proxy is deleted for good.
 * @throws NotFound, Forbidden, Invalid, Conflict
 */
export async function trashDocument(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const { document, parent } = await holdPlaces(scope, reference, null, 'UPDATE');
  await requirePermissions(scope, [
    [document, 'Remove'],
    [parent, 'RemoveChildren'],
  ]);
  if (document.isProxy) {
    await deleteTrees(scope, [document]);
    return document;
  }
  if (document.isTrashed) return document;
  const name = trashedName(document.name);
  const moved = await relocate(scope, document, { parent, target: parent, name, isTrashed: true });
  const trashed = touched(scope, moved);
  await saveDocument(scope, trashed, [{ eventId: 'documentTrashed', document: trashed }]);
  return trashed;
}
