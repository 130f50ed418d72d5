import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import type { Increment } from '../../model/versioning.ts';
import type { Scope } from '../../scope.ts';
import { type Preconditions, requirePreconditions } from '../documents/mutability.ts';
import { saveDocument } from '../documents/write-document.ts';
import { lockDocument } from '../row-locks/lock-document.ts';
import { checkedIn, checkedOut, checkInEvent, insertVersion, requireVersionable } from './versions.ts';

/** A document after a check-in, along with the new version. */
interface CheckedIn {
  readonly live: DocumentRow;
  readonly version: DocumentRow;
}

/** Creates a version of a locked document, even if the document has not changed since the last version. */
export async function addVersion(
  scope: Scope,
  row: DocumentRow,
  { increment, comment }: { increment: Increment; comment?: string | undefined },
): Promise<CheckedIn> {
  const checked = checkedIn(await checkedOut(scope, row), increment);
  const live = { ...checked, systemToken: row.systemToken + 1 };
  await saveDocument(scope, live, [checkInEvent(scope, live, comment)]);
  return { live, version: await insertVersion(scope, live, comment) };
}

const lock = (scope: Scope, reference: DocumentReference): Promise<DocumentRow> =>
  lockDocument(scope, reference, { mode: 'NO KEY UPDATE', needs: 'WriteProperties' });

/**
 * Checks a document in; does nothing if it is already checked in (§11).
 * @throws NotFound, Forbidden; Invalid if the document is not versionable
 */
export async function checkIn(
  scope: Scope,
  reference: DocumentReference,
  version: { increment: Increment; comment?: string | undefined },
): Promise<DocumentRow> {
  const row = await lock(scope, reference);
  requireVersionable(scope, row);
  return row.isCheckedOut ? (await addVersion(scope, row, version)).live : row;
}

/**
 * Creates a version, unless the increment is NONE.
 * @throws NotFound, Forbidden; Invalid if the document is not versionable
 */
export async function createVersion(
  scope: Scope,
  reference: DocumentReference,
  increment: Increment,
): Promise<DocumentRow> {
  const row = await lock(scope, reference);
  requireVersionable(scope, row);
  return increment === 'NONE' ? row : (await addVersion(scope, row, { increment })).live;
}

/**
 * Creates a version, even if the document is checked in.
 * @throws NotFound, Forbidden, PreconditionFailed; Invalid if the document is not versionable
 */
export async function makeVersion(
  scope: Scope,
  reference: DocumentReference,
  options: { increment: Exclude<Increment, 'NONE'>; comment?: string | undefined },
  conditions: Preconditions,
): Promise<DocumentRow> {
  const row = await lock(scope, reference);
  requirePreconditions(row, conditions);
  requireVersionable(scope, row);
  return (await addVersion(scope, row, options)).version;
}

/**
 * Checks a document out; does nothing if it is already checked out.
 * @throws NotFound, Forbidden
 */
export async function checkOut(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const row = await lock(scope, reference);
  if (row.isCheckedOut) return row;
  const out = { ...(await checkedOut(scope, row)), systemToken: row.systemToken + 1 };
  await saveDocument(scope, out, [{ eventId: 'documentCheckedOut', document: out }]);
  return out;
}
