import { Conflict, Forbidden } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import type { Scope } from '../../scope.ts';
import { requireMutable, requireNotVersion } from '../documents/mutability.ts';
import { type LockOptions, lockWithAncestors } from './lock-with-ancestors.ts';

/** A document, its folder, and the folder that it or its copy is put into. */
export interface DocumentWithFolders {
  readonly document: DocumentRow;
  readonly parent: DocumentRow;
  readonly target: DocumentRow;
}

/**
 * Locks a document and a folder as `lockWithAncestors` does.
 * @param target null for the document's own folder.
 * @param mode UPDATE with another folder is a move.
 * @throws NotFound; Forbidden for the root; Invalid for versions; Conflict when the target is the document
 * itself or below it
 */
export async function lockWithFolders(
  scope: Scope,
  reference: DocumentReference,
  target: DocumentReference | null,
  mode: 'SHARE' | 'UPDATE',
): Promise<DocumentWithFolders> {
  const options: LockOptions = target
    ? { mode, additional: [target], isMove: mode === 'UPDATE' }
    : { mode, withFolders: true };
  const { documents, additional, byId } = await lockWithAncestors(scope, [reference], options);
  const document = documents[0] as DocumentRow;
  requireNotVersion(document);
  const parent = byId.get(document.parentId ?? '');
  if (!parent) throw new Forbidden('the root of a repository stays where it is');
  const into = additional[0] ?? parent;
  requireMutable(into, 'AddChildren');
  if ([...into.ancestorIds, into.id].includes(document.id)) {
    throw new Conflict(`${document.id} cannot be put into itself`);
  }
  return { document, parent, target: into };
}
