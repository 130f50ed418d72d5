import { Invalid } from '../../errors.ts';
import { requirePermission } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { documentName } from '../../model/names.ts';
import type { Scope } from '../../scope.ts';
import { type DocumentWithFolders, lockWithFolders } from '../row-locks/lock-with-folders.ts';
import { relocate } from './relocate.ts';
import { saveDocument } from './write-document.ts';

/** At least one of the two must be given. */
interface MoveOptions {
  readonly target?: DocumentReference | null | undefined;
  readonly name?: string | null | undefined;
}

// §4.1: a move needs the permissions to delete here and to create there; a new name changes document and
// folder.
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
 * Moves or renames a document; a taken name gets milliseconds.
 * @throws NotFound, Forbidden, Invalid, Conflict
 */
export async function moveDocument(
  scope: Scope,
  reference: DocumentReference,
  { target, name: given }: MoveOptions,
): Promise<DocumentRow> {
  if (!target && typeof given !== 'string') throw new Invalid('target, name: one of them must be given');
  const wished = typeof given === 'string' ? documentName(given) : undefined;
  const places = await lockWithFolders(scope, reference, target ?? null);
  await requireRights(scope, places, !target);
  const { document, parent } = places;
  const name = wished ?? document.name;
  const isSamePlace = parent.id === places.target.id;
  if (isSamePlace && name === document.name) return document;
  const moved = await relocate(scope, document, { ...places, name });
  const after = {
    ...moved,
    position: isSamePlace ? moved.position : null,
  };
  await saveDocument(scope, after, [{ eventId: 'documentMoved', document: after }]);
  return after;
}
