import { Invalid, NotFound } from '../../errors.ts';
import { requirePermissions } from '../../loaders/acls/access.ts';
import { type DocumentRow, versionLabel } from '../../loaders/documents/document-row.ts';
import { type DocumentReference, referenceKey } from '../../model/document-reference.ts';
import { facetsOf, withRelations } from '../../model/facets-of.ts';
import type { Scope } from '../../scope.ts';
import { setMembers } from '../collections/set-members.ts';
import { sortTitle } from '../documents/create-document.ts';
import { type Preconditions, requirePreconditions } from '../documents/mutability.ts';
import { replaceBlobs, saveDocument } from '../documents/write-document.ts';
import { requireNotRetained } from '../retention/retention.ts';
import { requireBeforeLocks } from '../row-locks/before-locks.ts';
import { lockRelated } from '../row-locks/lock-documents.ts';
import { rowsOfReferences } from '../row-locks/references.ts';
import { addVersion } from './check-in.ts';
import { checkedOut } from './versions.ts';

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

interface RestoreOptions {
  /** Checks the live document in first, so that its changes are not lost. */
  readonly createVersion?: boolean;
  /** Leaves the document checked out; otherwise it is checked in on the version. */
  readonly checkout?: boolean;
  /** The live document, where it is addressed too. */
  readonly of?: DocumentReference;
  /** What the state of the live document must be. */
  readonly conditions?: Preconditions;
}

/** @throws NotFound */
function requireVersionOf(live: DocumentRow, version: DocumentRow, of: DocumentReference): void {
  const { by, value } = referenceKey(of);
  if (live[by] !== value) throw new NotFound(`There is no version ${version.id} of ${value}.`);
}

/**
 * Restores properties, facets and members of a version; path, life-cycle state and lock stay (§11).
 * @param reference the version.
 * @returns the live document.
 * @throws NotFound, Forbidden, PreconditionFailed; Invalid when the reference is no version.
 */
export async function restoreVersion(
  scope: Scope,
  reference: DocumentReference,
  { createVersion = false, checkout = false, of, conditions = {} }: RestoreOptions = {},
): Promise<DocumentRow> {
  await requireBeforeLocks(scope, [reference], () => 'WriteVersion');
  const rows = await lockRelated(scope, [reference], 'UPDATE', 'members');
  const [version] = rowsOfReferences([reference], rows) as [DocumentRow];
  if (!version.isVersion) throw new Invalid(`${version.id} is no version`);
  const [before] = rowsOfReferences([{ id: version.liveId }], rows) as [DocumentRow];
  await requirePermissions(scope, [
    [before, 'WriteVersion'],
    [version, 'ReadVersion'],
  ]);
  if (of) requireVersionOf(before, version, of);
  requirePreconditions(before, conditions);
  requireNotRetained(before);
  const isKept = createVersion && before.isCheckedOut;
  const live = isKept ? (await addVersion(scope, before, { increment: 'MINOR' })).live : before;
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
