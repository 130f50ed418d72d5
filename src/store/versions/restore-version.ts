import { Invalid, NotFound } from '../../errors.ts';
import { requirePermissions } from '../../loaders/acls/access.ts';
import { type DocumentRow, versionLabel } from '../../loaders/documents/document-row.ts';
import { type DocumentReference, referenceKey } from '../../model/document-reference.ts';
import { facetsOf, withRelations } from '../../model/facets-of.ts';
import { sortTitle } from '../../model/names.ts';
import type { Scope } from '../../scope.ts';
import { setMembers } from '../collections/set-members.ts';
import { type Preconditions, requirePreconditions } from '../documents/mutability.ts';
import { replaceBlobs, saveDocument } from '../documents/write-document.ts';
import { requireNotRetained } from '../retention/retention.ts';
import { requireBeforeLocks } from '../row-locks/before-locks.ts';
import { lockRelated } from '../row-locks/lock-documents.ts';
import { rowsOfReferences } from '../row-locks/references.ts';
import { addVersion } from './check-in.ts';
import { checkedOut } from './versions.ts';

/** Applies the content of a version to its live document. */
function restored(live: DocumentRow, version: DocumentRow): DocumentRow {
  const { properties, majorVersion, minorVersion } = version;
  return {
    ...live,
    title: sortTitle(live.name, properties),
    properties,
    majorVersion,
    minorVersion,
    isCheckedOut: false,
    baseVersionId: version.id,
    facets: withRelations(version.facets, live.facets),
    userToken: live.userToken + 1,
  };
}

/** Options for restoring a version. */
interface RestoreOptions {
  /** Whether to check in the live document first, so that its changes are not lost. */
  readonly createVersion?: boolean;
  /** Whether to leave the document checked out; by default, it is checked in at the restored version. */
  readonly checkout?: boolean;
  /** The live document, if the request names it in addition to the version. */
  readonly of?: DocumentReference;
  /** Preconditions for the live document. */
  readonly conditions?: Preconditions;
}

/**
 * Checks that the version belongs to the document that the request names.
 * @throws NotFound if it belongs to another document
 */
function requireVersionOf(live: DocumentRow, version: DocumentRow, of: DocumentReference): void {
  const { by, value } = referenceKey(of);
  if (live[by] !== value) throw new NotFound(`There is no version ${version.id} of ${value}.`);
}

/**
 * Restores the properties, facets and members of a version. The path, life-cycle state and lock of the live document
 * remain unchanged (§11).
 * @param reference the version
 * @returns the live document
 * @throws NotFound, Forbidden, PreconditionFailed; Invalid if the document is not a version
 */
export async function restoreVersion(
  scope: Scope,
  reference: DocumentReference,
  { createVersion = false, checkout = false, of, conditions = {} }: RestoreOptions = {},
): Promise<DocumentRow> {
  await requireBeforeLocks(scope, [reference], () => 'WriteVersion');
  const rows = await lockRelated(scope, [reference], 'UPDATE', 'members');
  const [version] = rowsOfReferences([reference], rows) as [DocumentRow];
  if (!version.isVersion) throw new Invalid(`${version.id} is not a version.`);
  const [before] = rowsOfReferences([{ id: version.liveId }], rows) as [DocumentRow];
  await requirePermissions(scope, [
    [before, 'WriteVersion'],
    [version, 'ReadVersion'],
  ]);
  if (of) requireVersionOf(before, version, of);
  requirePreconditions(before, conditions);
  requireNotRetained(before);
  const savesChanges = createVersion && before.isCheckedOut;
  const live = savesChanges ? (await addVersion(scope, before, { increment: 'MINOR' })).live : before;
  const asVersion = restored(live, version);
  const after = checkout ? await checkedOut(scope, asVersion) : asVersion;
  const comment = versionLabel(version);
  await saveDocument(scope, after, [{ eventId: 'documentRestored', document: after, comment }]);
  await replaceBlobs(scope, { before: live, after });
  const isCollection = (row: DocumentRow) => facetsOf(scope.services.model, row).includes('Collection');
  if (isCollection(after)) await setMembers(scope, after, { version, areLocked: true });
  else if (isCollection(live)) await setMembers(scope, after, { version: null, areLocked: true });
  return after;
}
