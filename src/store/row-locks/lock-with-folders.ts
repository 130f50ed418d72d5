import { Conflict, Forbidden } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import type { Scope } from '../../scope.ts';
import { requireMutable, requireNotVersion } from '../documents/mutability.ts';
import { type LockOptions, lockWithAncestors } from './lock-with-ancestors.ts';

/** A document, its folder, and the folder to which it is moved or copied. */
export interface DocumentWithFolders {
  readonly document: DocumentRow;
  readonly parent: DocumentRow;
  readonly target: DocumentRow;
}

/**
 * Checks that a document can be moved or copied to a folder.
 * @throws Invalid; Conflict if the folder is the document itself or below it
 */
function requireFolderFor(document: DocumentRow, folder: DocumentRow): void {
  requireMutable(folder, 'AddChildren');
  if ([...folder.ancestorIds, folder.id].includes(document.id))
    throw new Conflict(`The document ${document.id} cannot be moved or copied into itself.`);
}

const isRoot = () => new Forbidden('The root of a repository cannot be moved, copied or trashed.');

/**
 * Locks a document, its folder and a target folder, as `lockWithAncestors` does.
 * @param target null for the document's own folder; any other folder makes it a move
 * @throws NotFound; Forbidden for the root; Invalid for versions; Conflict
 */
export async function lockWithFolders(
  scope: Scope,
  reference: DocumentReference,
  target: DocumentReference | null,
): Promise<DocumentWithFolders> {
  const options: LockOptions = target ? { additional: [target], isMove: true } : { withFolders: true };
  const { documents, additional, byId } = await lockWithAncestors(scope, [reference], options);
  const document = documents[0] as DocumentRow;
  requireNotVersion(document);
  const parent = byId.get(document.parentId ?? '');
  if (!parent) throw isRoot();
  const into = additional[0] ?? parent;
  requireFolderFor(document, into);
  return { document, parent, target: into };
}

/**
 * Locks a document, which can be a version, and the target folder of its copy, so that neither changes.
 * @throws NotFound; Forbidden for the root; Invalid; Conflict
 */
export async function lockForCopy(
  scope: Scope,
  reference: DocumentReference,
  folder: DocumentReference,
): Promise<Omit<DocumentWithFolders, 'parent'>> {
  const options: LockOptions = { mode: 'SHARE', additional: [folder] };
  const { documents, additional } = await lockWithAncestors(scope, [reference], options);
  const [document, target] = [...documents, ...additional] as [DocumentRow, DocumentRow];
  if (document.parentId === null && !document.isVersion) throw isRoot();
  requireFolderFor(document, target);
  return { document, target };
}
