import { notGranted, readPermissionFor, requirePermissions } from '../../loaders/acls/access.ts';
import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import type { Scope } from '../../scope.ts';
import type { Permission } from '../../security/permissions.ts';
import { referenceValues, rowsOfReferences } from './references.ts';

// Permissions are checked before documents are locked, so that a caller without them cannot make other users wait.

type Referred = Pick<DocumentRow, 'id' | 'path' | 'isVersion' | 'ancestorIds' | 'aclId' | 'lockOwner'>;

const select = {
  id: true,
  path: true,
  isVersion: true,
  ancestorIds: true,
  aclId: true,
  lockOwner: true,
} as const satisfies Record<keyof Referred, true>;

async function guardsOf(
  { db, options }: Pick<Scope, 'db' | 'options'>,
  references: readonly DocumentReference[],
): Promise<Referred[]> {
  const [ids, paths] = referenceValues(references);
  const referred = [{ id: { in: ids } }, { path: { in: paths }, isVersion: false }];
  const where = { repository: options.repository, OR: referred };
  const rows = await db.prisma.document.findMany({ where, select });
  return rowsOfReferences(references, rows);
}

/**
 * Checks that the caller has at least some permission on each document, for work that checks the exact permissions
 * later, one by one.
 * @throws NotFound, Forbidden
 */
export async function requireSomePermission(
  context: Context,
  references: readonly DocumentReference[],
): Promise<void> {
  const { user, load } = context;
  if (user.isAdministrator) return;
  const rows = await guardsOf(context, references);
  const held = await Promise.all(
    rows.map(async ({ aclId }) => load.access.permissionsOn({ aclId, lockOwner: null })),
  );
  const refused = rows[held.findIndex((permissions) => permissions.length === 0)];
  if (refused) throw notGranted({ user }, readPermissionFor(refused), { id: refused.id });
}

/**
 * Rejects a caller who lacks a permission before the content of the request is checked, so that only callers who have
 * the permission learn about errors in the content. The write itself checks the permission again once it has locked the
 * documents.
 * @throws NotFound, Forbidden
 */
export async function requireRights(
  scope: Scope,
  references: readonly DocumentReference[],
  permission: Permission,
): Promise<void> {
  await requireBeforeLocks(scope, references, (row) =>
    permission === 'Read' ? readPermissionFor(row) : permission,
  );
}

/**
 * Checks permissions on documents before they are locked. The caller of this function must check them again after
 * locking.
 * @throws NotFound, Forbidden
 */
export async function requireBeforeLocks(
  scope: Scope,
  references: readonly DocumentReference[],
  needs: (row: Referred) => Permission,
): Promise<Referred[]> {
  const rows = await guardsOf(scope, references);
  await requirePermissions(
    scope,
    rows.map((row) => [row, needs(row)]),
  );
  return rows;
}
