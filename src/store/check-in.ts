import type { DocumentRow } from '../loaders/document-row.ts';
import type { Increment } from '../model/versioning.ts';
import type { Scope } from '../scope.ts';
import { type DocumentReference, lockDocument } from './lock-document.ts';
import { checkedIn, checkedOut, checkInEvent, insertVersion, requireVersionable } from './versions.ts';
import { saveDocument } from './write-document.ts';

/** A document and the version that was made of it. */
interface CheckedIn {
  readonly live: DocumentRow;
  readonly version: DocumentRow;
}

/** Makes a version of a document that is held, whether or not it has changed since the last one. */
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

const hold = (scope: Scope, reference: DocumentReference): Promise<DocumentRow> =>
  lockDocument(scope, reference, { hold: 'NO KEY UPDATE', needs: 'WriteProperties' });

/**
 * Checks a document in: its state becomes a version (§11). One that is checked in stays as it is.
 * @throws NotFound, Forbidden; Invalid when there can be no versions of it.
 */
export async function checkIn(
  scope: Scope,
  reference: DocumentReference,
  given: { increment: Increment; comment?: string | undefined },
): Promise<DocumentRow> {
  const row = await hold(scope, reference);
  requireVersionable(scope, row);
  return row.isCheckedOut ? (await addVersion(scope, row, given)).live : row;
}

/**
 * Makes a version of a document, whether or not it is checked in; none with the increment NONE.
 * @throws NotFound, Forbidden; Invalid when there can be no versions of it.
 */
export async function createVersion(
  scope: Scope,
  reference: DocumentReference,
  increment: Increment,
): Promise<DocumentRow> {
  const row = await hold(scope, reference);
  requireVersionable(scope, row);
  return increment === 'NONE' ? row : (await addVersion(scope, row, { increment })).live;
}

/**
 * Checks a document out: it is no longer what its last version is. One that is checked out stays as it is.
 * @throws NotFound, Forbidden
 */
export async function checkOut(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const row = await hold(scope, reference);
  if (row.isCheckedOut) return row;
  const out = { ...(await checkedOut(scope, row)), systemToken: row.systemToken + 1 };
  await saveDocument(scope, out, [{ eventId: 'documentCheckedOut', document: out }]);
  return out;
}
