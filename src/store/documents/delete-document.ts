import { statement } from '../../db/statement.ts';
import { DocumentNotFound, Forbidden } from '../../errors.ts';
import { notGranted, requirePermission, requirePermissions } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { findDocument } from '../../loaders/documents/unchecked.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import type { Scope } from '../../scope.ts';
import { type AuditEvent, withAudit, writeAudited } from '../audit/audit.ts';
import { endMembershipsSql } from '../collections/end-memberships.ts';
import { requireBeforeLocks } from '../row-locks/before-locks.ts';
import { lockAllForDeletionStatement, lockForDeletionStatement } from '../row-locks/lock-for-deletion.ts';
import { type LockedDocuments, lockWithAncestors } from '../row-locks/lock-with-ancestors.ts';
import { deleteVersions } from '../versions/delete-versions.ts';
import { recordUnpublished } from '../versions/publication-events.ts';
import { type Preconditions, requirePreconditions } from './mutability.ts';

/** SQL condition that is true if a row is one of the documents `$2` or is below one of them. */
const isToDelete = (row: string): string =>
  `(${row}.id = ANY($2::uuid[]) OR ${row}.ancestor_ids && $2::uuid[])`;

/**
 * Checks that the caller has the permissions to delete documents, including RemoveChildren on their parents (§4.1). The
 * parents need not be locked.
 * @throws Forbidden
 */
export async function requireRemovable(scope: Scope, documents: readonly DocumentRow[]): Promise<void> {
  await requirePermissions(
    scope,
    documents.map((row) => [row, 'Remove']),
  );
  if (scope.user.isAdministrator) return;
  const ids = [...new Set(documents.flatMap(({ parentId }) => parentId ?? []))];
  const parents = await scope.db.prisma.document.findMany({
    where: { repository: scope.options.repository, id: { in: ids } },
    select: { id: true, path: true, isVersion: true, aclId: true, lockOwner: true },
  });
  if (parents.length < ids.length) throw notGranted(scope, 'RemoveChildren');
  await requirePermissions(
    scope,
    parents.map((parent) => [parent, 'RemoveChildren']),
  );
}

function requireNotRoot({ path }: Pick<DocumentRow, 'path'>): void {
  if (path === '/') throw new Forbidden('The root of a repository cannot be deleted.');
}

const lockQuery = lockForDeletionStatement('lock-for-deletion', isToDelete('d'));

/**
 * Locks a document along with every row that its deletion changes.
 * @throws NotFound, Forbidden
 */
async function lockToDelete(scope: Scope, found: DocumentRow): Promise<DocumentRow> {
  // The permission is checked before any lock is taken, so that a caller without it cannot make other requests wait.
  await requirePermission(scope, found, 'Remove');
  requireNotRoot(found);
  const [locked] = await scope.db.query(lockQuery, [found.repository, [found.id]]);
  if (!locked) throw new DocumentNotFound(found.id);
  await requireRemovable(scope, [locked]);
  return locked;
}

// A document that another transaction is creating below one of these is not in the snapshot of this statement. It is
// deleted through the foreign key that refers to its parent.
const deleteQuery = withAudit(
  statement('delete-tree')`
    DELETE FROM document d WHERE d.repository = $1 AND ${isToDelete('d')} RETURNING d.id`,
  'first',
  endMembershipsSql(isToDelete('d')),
);

const removed = (document: DocumentRow): AuditEvent => ({
  eventId: document.isProxy ? 'proxyRemoved' : 'documentRemoved',
  document,
});

/**
 * Deletes documents whose rows are locked.
 * @returns whether any of them existed
 */
async function deleteLocked(scope: Scope, documents: readonly DocumentRow[]): Promise<boolean> {
  const values = [scope.options.repository, documents.map(({ id }) => id)];
  const hasDeleted = (await writeAudited(scope, deleteQuery, values, documents.map(removed))).length > 0;
  const proxies = documents.filter(({ isProxy }) => isProxy);
  if (hasDeleted) await recordUnpublished(scope, proxies);
  return hasDeleted;
}

const lockTreesQuery = lockAllForDeletionStatement('lock-trees', isToDelete('d'));

/**
 * Deletes documents along with their subtrees. None of them may be below another one.
 * @returns whether any of them existed
 */
export async function deleteTrees(scope: Scope, documents: readonly DocumentRow[]): Promise<boolean> {
  await scope.db.query(lockTreesQuery, [scope.options.repository, documents.map(({ id }) => id)]);
  return deleteLocked(scope, documents);
}

function lockedRow(byId: LockedDocuments['byId'], id: string | null): DocumentRow {
  const row = byId.get(id ?? '');
  if (!row) throw new DocumentNotFound(id ?? '');
  return row;
}

/**
 * Deletes a version.
 * @throws NotFound, PreconditionFailed; Forbidden without WriteVersion on the live document
 */
async function deleteVersion(scope: Scope, found: DocumentRow, conditions: Preconditions): Promise<void> {
  // The permission is checked before any lock is taken. A version has the ACL of its live document.
  await requirePermission(scope, found, 'WriteVersion');
  const { documents, byId } = await lockWithAncestors(scope, [{ id: found.id }], { mode: 'DELETE' });
  const version = documents[0] as DocumentRow;
  const live = lockedRow(byId, version.liveId);
  await requirePermission(scope, live, 'WriteVersion');
  requirePreconditions(version, conditions);
  await deleteVersions(scope, [{ live, version }]);
}

/**
 * Permanently deletes a document along with its subtree, or a version (§3, §11).
 * @returns the id of the deleted document
 * @throws NotFound, PreconditionFailed; Forbidden without permission, for the root, and for a version that is shown by
 * a proxy
 */
export async function deleteDocument(
  scope: Scope,
  reference: DocumentReference,
  conditions: Preconditions = {},
): Promise<string> {
  const found = await findDocument(scope, reference);
  if (found.isVersion) {
    await deleteVersion(scope, found, conditions);
  } else {
    const document = await lockToDelete(scope, found);
    requirePreconditions(document, conditions);
    await deleteLocked(scope, [document]);
  }
  return found.id;
}

/**
 * Permanently deletes documents along with their subtrees, and versions. One of the documents can be below another.
 * @throws NotFound; Forbidden without permission on any of them
 */
export async function deleteDocuments(scope: Scope, references: readonly DocumentReference[]): Promise<void> {
  const needs = ({ isVersion }: { isVersion: boolean }) => (isVersion ? 'WriteVersion' : 'Remove');
  for (const row of await requireBeforeLocks(scope, references, needs)) requireNotRoot(row);
  const { documents, byId } = await lockWithAncestors(scope, references, { mode: 'DELETE' });
  const byOwnId = new Map(documents.map((row) => [row.id, row]));
  const all = [...byOwnId.values()];
  const [versions, others] = [all.filter((row) => row.isVersion), all.filter((row) => !row.isVersion)];
  await requirePermissions(scope, [
    ...versions.map(({ liveId }) => [lockedRow(byId, liveId), 'WriteVersion'] as const),
    ...others.map((row) => [row, 'Remove'] as const),
  ]);
  await requirePermissions(
    scope,
    others.map(({ parentId }) => [lockedRow(byId, parentId), 'RemoveChildren']),
  );
  const isTop = ({ ancestorIds }: DocumentRow): boolean => !ancestorIds.some((id) => byOwnId.has(id));
  if (others.some(isTop)) await deleteLocked(scope, others.filter(isTop));
  const single = versions
    .filter(isTop)
    .map((version) => ({ live: lockedRow(byId, version.liveId), version }));
  if (single.length > 0) await deleteVersions(scope, single);
}
