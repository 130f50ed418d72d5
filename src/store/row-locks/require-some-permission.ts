import { statement } from '../../db/statement.ts';
import { notGranted } from '../../loaders/acls/access.ts';
import type { Context } from '../../loaders/context.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { isReferredTo, referenceValues, rowsOfReferences } from './references.ts';

const referredTo = statement('acl-ids-of-references')`
  SELECT d.id, d.path, d.is_version AS "isVersion", d.acl_id AS "aclId"
  FROM document d WHERE d.repository = $1 AND ${isReferredTo('d')}`;

type Referred = Pick<DocumentRow, 'id' | 'path' | 'isVersion' | 'aclId'>;

/**
 * Before documents are locked for work whose permissions are asked one by one: locks on documents with which
 * the caller may do nothing would keep others waiting. @throws NotFound, Forbidden
 */
export async function requireSomePermission(
  { db, user, options, load }: Context,
  references: readonly DocumentReference[],
): Promise<void> {
  if (user.isAdministrator) return;
  const rows = await db.query<Referred>(referredTo, [options.repository, ...referenceValues(references)]);
  const held = await Promise.all(
    rowsOfReferences(references, rows).map(async ({ aclId }) =>
      load.access.permissionsOn({ aclId, lockOwner: null }),
    ),
  );
  if (held.some((permissions) => permissions.length === 0)) throw notGranted({ user }, 'Read');
}
