import { DocumentNotFound } from '../../errors.ts';
import { requirePermission } from '../../loaders/acls/access.ts';
import { byReference, queryByReference } from '../../loaders/documents/by-reference.ts';
import {
  type DocumentRow,
  documentJsonStatement,
  reviveDates,
} from '../../loaders/documents/document-row.ts';
import { type DocumentReference, referenceKey } from '../../model/document-reference.ts';
import type { Scope } from '../../scope.ts';
import type { Permission } from '../../security/permissions.ts';
import { requireMutable } from '../documents/mutability.ts';
import type { LockMode } from './lock-order.ts';

// KEY SHARE is excluded, because it would allow the row to change after it was read.
type SingleLockMode = Exclude<LockMode, 'KEY SHARE'>;

const queryOf = (mode: SingleLockMode) =>
  byReference((by, condition) =>
    documentJsonStatement(
      `lock-${mode}-${by}`,
      `WHERE d.repository = $1 AND ${condition('d')} FOR ${mode} OF d`,
    ),
  );

const queries: Readonly<Record<SingleLockMode, ReturnType<typeof queryOf>>> = {
  SHARE: queryOf('SHARE'),
  'NO KEY UPDATE': queryOf('NO KEY UPDATE'),
  UPDATE: queryOf('UPDATE'),
};

/** Locks and reads a document without checking permissions. @throws NotFound */
export async function lockDocumentUnchecked(
  scope: Scope,
  reference: DocumentReference,
  mode: SingleLockMode,
): Promise<DocumentRow> {
  const [found] = await queryByReference(scope, queries[mode], reference);
  if (!found) throw new DocumentNotFound(referenceKey(reference).value);
  return reviveDates(found.row);
}

/**
 * Locks and reads a document.
 * @param needs the permission that the caller needs on the document
 * @throws NotFound, Forbidden; Invalid if the permission is for a change that a version or proxy does not allow
 */
export async function lockDocument(
  scope: Scope,
  reference: DocumentReference,
  { mode, needs }: { readonly mode: SingleLockMode; readonly needs: Permission },
): Promise<DocumentRow> {
  const row = await lockDocumentUnchecked(scope, reference, mode);
  await requirePermission(scope, row, needs);
  requireMutable(row, needs);
  return row;
}
