import { DocumentNotFound } from '../../errors.ts';
import { createAccess, readPermissionFor, requirePermission } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { type DocumentReference, referenceKey } from '../../model/document-reference.ts';
import type { Scope } from '../../scope.ts';
import { deleteTrees, requireRemovable } from '../documents/delete-document.ts';
import { requireBeforeLocks } from '../row-locks/before-locks.ts';
import { lockRelated } from '../row-locks/lock-documents.ts';

/**
 * Deletes locked proxies.
 * @throws Forbidden if the caller lacks the permission on a proxy or its section
 */
export async function deleteProxies(scope: Scope, proxies: readonly DocumentRow[]): Promise<void> {
  if (proxies.length === 0) return;
  await requireRemovable(scope, proxies);
  await deleteTrees(scope, proxies);
}

/**
 * Deletes all proxies of a document that the caller can read. A reference to a version or proxy stands for its live
 * document.
 * @returns the live document
 * @throws NotFound; Forbidden if the caller is not allowed to delete one of the proxies
 */
export async function unpublish(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const { by, value } = referenceKey(reference);
  await requireBeforeLocks(scope, [reference], readPermissionFor);
  const rows = await lockRelated(scope, [reference], 'UPDATE', 'proxies');
  const live = rows.find(({ liveId }) => liveId === null);
  if (!live) throw new DocumentNotFound(value);
  const proxies = rows.filter(({ isProxy }) => isProxy);
  const named = proxies.find(({ id, path }) => (by === 'id' ? id : path) === value) ?? live;
  await requirePermission(scope, named, 'Read');

  const { may } = createAccess(scope);
  const readable = await Promise.all(proxies.map((proxy) => may(proxy, 'Read')));
  await deleteProxies(
    scope,
    proxies.filter((_, index) => readable[index]),
  );
  return live;
}
