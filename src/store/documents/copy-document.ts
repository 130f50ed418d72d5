import { v7 as uuid } from 'uuid';
import { Forbidden } from '../../errors.ts';
import { readPermissionFor, requirePermission } from '../../loaders/acls/access.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { commentedId } from '../../model/comments/comment-tree.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { lifeCycle } from '../../model/life-cycle.ts';
import { childPath, documentName, untrashedName } from '../../model/names.ts';
import type { Scope } from '../../scope.ts';
import { assignEffectiveAcls } from '../acls/assign-effective-acls.ts';
import type { AuditEvent } from '../audit/audit.ts';
import { type DocumentWithFolders, lockForCopy } from '../row-locks/lock-with-folders.ts';
import { copyId, copyTree, initialCopyFields } from './copy-tree.ts';
import { insertNamed } from './create-document.ts';

interface CopyOptions {
  readonly target: DocumentReference;
  readonly name?: string | null | undefined;
  /** Whether copies start in the initial state; by default, they have the same state as their originals. */
  readonly resetLifeCycle?: boolean | null | undefined;
}

function rowOf(
  { document, target }: Pick<DocumentWithFolders, 'document' | 'target'>,
  { name, resetLifeCycle }: CopyOptions,
  id: string,
): DocumentRow {
  const { isProxy, isVersion, majorVersion, minorVersion, isCheckedOut } = document;
  // A version may still have the name that its live document was given when it was trashed.
  const former = isVersion ? untrashedName(document.name) : document.name;
  const named = typeof name === 'string' ? documentName(name) : former;
  return {
    ...document,
    ...initialCopyFields,
    ...(isProxy && { majorVersion, minorVersion, isCheckedOut }), // a proxy shows the same version as before
    ...(isVersion && { liveId: null }),
    id,
    name: named,
    path: childPath(target.path, named),
    position: null,
    parentId: target.id,
    ancestorIds: [...target.ancestorIds, target.id],
    aclId: target.aclId,
    state: resetLifeCycle ? lifeCycle.initial : document.state,
    isTrashed: document.isTrashed || target.isTrashed,
  };
}

const eventsOf =
  (document: DocumentRow) =>
  (copy: DocumentRow): AuditEvent[] => [
    { eventId: 'documentDuplicated', document, comment: `${copy.repository}:${copy.id}` },
    { eventId: 'documentCreatedByCopy', document: copy, comment: `${document.repository}:${document.id}` },
  ];

/**
 * Copies a document and its subtree into a folder. If the name is taken, the time in milliseconds is appended to it.
 * The copy gets the properties, including creator and creation date, and the ACLs, but no versions, version numbers or
 * locks. The copy of a version is a live document, with the ACLs of the version's live document.
 * @throws NotFound, Forbidden, Invalid, Conflict
 */
export async function copyDocument(
  scope: Scope,
  reference: DocumentReference,
  copying: CopyOptions,
): Promise<DocumentRow> {
  const places = await lockForCopy(scope, reference, copying.target);
  const { document, target } = places;
  await requirePermission(scope, document, readPermissionFor(document));
  await requirePermission(scope, target, 'AddChildren');
  if (!scope.user.isAdministrator && commentedId(document) !== undefined)
    throw new Forbidden(`${document.id} is a comment. Comments cannot be copied.`);
  const salt = uuid();
  const row = rowOf(places, copying, copyId(salt, document.id));
  const copy = await insertNamed(scope, row, eventsOf(document));
  const resetLifeCycle = copying.resetLifeCycle ?? false;
  const haveAcls = await copyTree(scope, { document, copy, salt, resetLifeCycle });
  if (!haveAcls) return copy;
  const { repository, id } = copy;
  return { ...copy, aclId: await assignEffectiveAcls(scope.db, { repository, id }, { isHeld: true }) };
}
