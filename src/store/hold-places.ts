import { Conflict, Forbidden } from '../errors.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { Scope } from '../scope.ts';
import { holdInOrder } from './hold-in-order.ts';
import { type DocumentReference, requireLive, requireMutable } from './lock-document.ts';

/** A document, the folder that it is in, and the one that it is to be in. */
export interface Places {
  readonly document: DocumentRow;
  readonly parent: DocumentRow;
  readonly target: DocumentRow;
}

/**
 * Reads and holds a document and a folder, until the transaction ends: neither is moved or deleted meanwhile, nor
 * anything above them, and no ACLs above them change.
 * @param target null for the folder that the document is in.
 * @param hold how the two are held; whoever takes a document for UPDATE to another folder moves it.
 * @throws NotFound; Forbidden for the root; Invalid for versions; Conflict when the target is the document itself or
 * below it.
 */
export async function holdPlaces(
  scope: Scope,
  reference: DocumentReference,
  target: DocumentReference | null,
  hold: 'SHARE' | 'UPDATE',
): Promise<Places> {
  const more = target ? { besides: [target], isMove: hold === 'UPDATE' } : { withFolders: true };
  const { documents, besides, way } = await holdInOrder(scope, [reference], { hold, ...more });
  const document = documents[0] as DocumentRow;
  requireLive(document);
  const parent = way.get(document.parentId ?? '');
  if (!parent) throw new Forbidden('the root of a repository stays where it is');
  const into = besides[0] ?? parent;
  requireMutable(into, 'AddChildren');
  if ([...into.ancestorIds, into.id].includes(document.id)) {
    throw new Conflict(`${document.id} cannot be put into itself`);
  }
  return { document, parent, target: into };
}
