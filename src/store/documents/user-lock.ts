import { Conflict } from '../../errors.ts';
import { readPermissionFor, requirePermission } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import type { Scope } from '../../scope.ts';
import { lockDocumentUnchecked } from '../row-locks/lock-document.ts';
import { requireMutable } from './mutability.ts';
import { saveDocument } from './write-document.ts';

// A user's lock on a document prevents other users from changing it; `loaders/acls/access.ts` enforces this.

/**
 * Locks a document for the caller. A document that the caller has already locked is left unchanged.
 * @throws NotFound, Forbidden, Invalid; Conflict if another user has locked the document
 */
export async function setLock(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const document = await lockDocumentUnchecked(scope, reference, 'NO KEY UPDATE');
  await requirePermission(scope, { ...document, lockOwner: null }, 'WriteProperties');
  requireMutable(document, 'WriteProperties');
  if (document.lockOwner === scope.user.id) return document;
  if (document.lockOwner !== null) {
    throw new Conflict(`The document ${document.id} is already locked by ${document.lockOwner}.`, {
      about: { user: scope.user.id, lockOwner: document.lockOwner, document: document.id },
    });
  }
  const locked = { ...document, lockOwner: scope.user.id, lockCreated: new Date() };
  await saveDocument(scope, locked, [{ eventId: 'documentLocked', document: locked }]);
  return locked;
}

/**
 * Removes the lock from a document. If another user holds the lock, the caller needs the Unlock permission.
 * @throws NotFound, Forbidden
 */
export async function removeLock(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const document = await lockDocumentUnchecked(scope, reference, 'NO KEY UPDATE');
  const isOwn = document.lockOwner === scope.user.id;
  const isReadEnough = document.lockOwner === null || isOwn;
  await requirePermission(scope, document, isReadEnough ? readPermissionFor(document) : 'Unlock');
  if (document.lockOwner === null) return document;
  const unlocked = { ...document, lockOwner: null, lockCreated: null };
  await saveDocument(scope, unlocked, [{ eventId: 'documentUnlocked', document: unlocked }]);
  return unlocked;
}
