import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import type { Increment } from '../../model/versioning.ts';
import type { Scope } from '../../scope.ts';
import { type Preconditions, requirePreconditions } from '../documents/mutability.ts';
import { saveDocument } from '../documents/write-document.ts';
import { lockDocument } from '../row-locks/lock-document.ts';
import { checkedIn, checkedOut, checkInEvent, insertVersion, requireVersionable } from './versions.ts';

interface CheckedIn {
  readonly live: DocumentRow;
  readonly version: DocumentRow;
}

/** Makes a version of a locked document, changed since the last one or not. */
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

/** A checked-in document stays unchanged (§11). @throws NotFound, Forbidden; Invalid: not versionable. */
export async function checkIn(
  scope: Scope,
  reference: DocumentReference,
  given: { increment: Increment; comment?: string | undefined },
): Promise<DocumentRow> {
  const row = await lock(scope, reference);
  requireVersionable(scope, row);
  return row.isCheckedOut ? (await addVersion(scope, row, given)).live : row;
}

/** NONE makes no version. @throws NotFound, Forbidden; Invalid when the document is not versionable. */
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
 * Makes a version, also of a document that is checked in.
 * @throws NotFound, Forbidden, PreconditionFailed; Invalid when the document is not versionable.
 */
export async function makeVersion(
  scope: Scope,
  reference: DocumentReference,
  given: { increment: Exclude<Increment, 'NONE'>; comment?: string | undefined },
  conditions: Preconditions,
): Promise<DocumentRow> {
  const row = await lock(scope, reference);
  requirePreconditions(row, conditions);
  requireVersionable(scope, row);
  return (await addVersion(scope, row, given)).version;
}

/** A checked-out document stays unchanged. @throws NotFound, Forbidden */
export async function checkOut(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const row = await lock(scope, reference);
  if (row.isCheckedOut) return row;
  const out = { ...(await checkedOut(scope, row)), systemToken: row.systemToken + 1 };
  await saveDocument(scope, out, [{ eventId: 'documentCheckedOut', document: out }]);
  return out;
}
