import { Invalid } from '../errors.ts';
import { requirePermission } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { documentName } from '../model/names.ts';
import type { Scope } from '../scope.ts';
import { holdPlaces, type Places } from './hold-places.ts';
import type { DocumentReference } from './lock-document.ts';
import { relocate } from './relocate.ts';
import { saveDocument } from './write-document.ts';

/** Where a document is to go; one of them must be said. */
export interface Move {
  /** The folder; its own when absent. */
  readonly target?: DocumentReference | null | undefined;
  /** Its own when absent. */
  readonly name?: string | null | undefined;
}

/** §4.1: moving is deleting here and creating there; a new name is a change of the document and its folder. */
async function requireRights(
  scope: Scope,
  { document, parent, target }: Places,
  isRename: boolean,
): Promise<void> {
  await requirePermission(scope, target, isRename ? 'WriteProperties' : 'AddChildren');
  if (!isRename) await requirePermission(scope, parent, 'RemoveChildren');
  await requirePermission(scope, document, isRename ? 'WriteProperties' : 'Remove');
}

/**
 * Moves a document with all below it into another folder, or gives it another name; when that is taken, milliseconds
 * are put behind it.
 * @throws NotFound, Forbidden, Invalid, Conflict
 */
export async function moveDocument(
  scope: Scope,
  reference: DocumentReference,
  { target, name: given }: Move,
): Promise<DocumentRow> {
  if (!target && typeof given !== 'string') throw new Invalid('target, name: one of them must be given');
  const wished = typeof given === 'string' ? documentName(given) : undefined;
  const places = await holdPlaces(scope, reference, target ?? null, 'UPDATE');
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
