import { Conflict } from '../errors.ts';
import { requirePermission } from '../loaders/access.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { Scope } from '../scope.ts';
import { type DocumentReference, holdDocument, requireLive } from './lock-document.ts';
import { saveDocument } from './write-document.ts';

// A lock is for other users than who made it: nobody else writes the document (`loaders/access.ts`).

/**
 * Locks a document for the caller; one that is his already stays as it is.
 * @throws NotFound, Forbidden, Invalid; Conflict when somebody else has locked it.
 */
export async function setLock(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const document = await holdDocument(scope, reference, 'NO KEY UPDATE');
  await requirePermission(scope, { ...document, lockOwner: null }, 'WriteProperties');
  requireLive(document);
  if (document.lockOwner === scope.user.id) return document;
  if (document.lockOwner !== null) {
    throw new Conflict(`${document.id} is locked by '${document.lockOwner}' already`);
  }
  const locked = { ...document, lockOwner: scope.user.id, lockCreated: new Date() };
  await saveDocument(scope, locked, [{ eventId: 'documentLocked', document: locked }]);
  return locked;
}

/**
 * Takes the lock of a document away: the caller's own, or with the right to any.
 * @throws NotFound, Forbidden
 */
export async function removeLock(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const document = await holdDocument(scope, reference, 'NO KEY UPDATE');
  const isOwn = document.lockOwner === scope.user.id;
  await requirePermission(scope, document, document.lockOwner === null || isOwn ? 'Read' : 'Unlock');
  if (document.lockOwner === null) return document;
  const unlocked = { ...document, lockOwner: null, lockCreated: null };
  await saveDocument(scope, unlocked, [{ eventId: 'documentUnlocked', document: unlocked }]);
  return unlocked;
}
