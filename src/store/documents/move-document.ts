import { Invalid } from '../../errors.ts';
import { requirePermission } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { documentName } from '../../model/names.ts';
import type { Scope } from '../../scope.ts';
import { type DocumentWithFolders, lockWithFolders } from '../row-locks/lock-with-folders.ts';
import { relocate } from './relocate.ts';
import { saveDocument } from './write-document.ts';

/** The new folder and name of a document. At least one of them must be set. */
interface MoveOptions {
  readonly target?: DocumentReference | null | undefined;
  readonly name?: string | null | undefined;
}

// A move requires the permissions to delete in the old folder and to create in the new one. A rename changes the
// document and its folder (§4.1).
async function requireRights(
  scope: Scope,
  { document, parent, target }: DocumentWithFolders,
  isRename: boolean,
): Promise<void> {
  await requirePermission(scope, target, isRename ? 'WriteProperties' : 'AddChildren');
  if (!isRename) await requirePermission(scope, parent, 'RemoveChildren');
  await requirePermission(scope, document, isRename ? 'WriteProperties' : 'Remove');
}

/**
 * Moves or renames a document. If the name is taken, the time in milliseconds is appended to it.
 * @throws NotFound, Forbidden, Invalid, Conflict
 */
export async function moveDocument(
  scope: Scope,
  reference: DocumentReference,
  { target, name: newName }: MoveOptions,
): Promise<DocumentRow> {
  if (!target && typeof newName !== 'string')
    throw new Invalid('target, name: at least one of them is required');
  const requested = typeof newName === 'string' ? documentName(newName) : undefined;
  const places = await lockWithFolders(scope, reference, target ?? null);
  await requireRights(scope, places, !target);
  const { document, parent } = places;
  const name = requested ?? document.name;
  const isSamePlace = parent.id === places.target.id;
  if (isSamePlace && name === document.name) return document;
  const moved = await relocate(scope, document, { ...places, name });
  const after = {
    ...moved,
    position: isSamePlace ? moved.position : null,
  };
  const changes = [{ property: 'ecm:path', before: document.path, after: after.path }];
  await saveDocument(scope, after, [{ eventId: 'documentMoved', document: after, extended: { changes } }]);
  return after;
}
