import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { Increment } from '../../model/versioning.ts';
import type { Scope } from '../../scope.ts';
import type { AuditEvent } from '../audit/audit.ts';
import { changesIn } from '../audit/property-changes.ts';
import { beforeWrite } from '../extensions/before-write.ts';
import { withoutFormerFile } from '../renditions/former-file.ts';
import {
  automaticIncrement,
  checkedIn,
  checkedOut,
  checkInEvent,
  insertVersion,
} from '../versions/versions.ts';
import { replaceBlobs, saveDocument } from './write-document.ts';

// Creates a version of the state before a change if a versioning policy requires it. If the request asks for a version,
// that version replaces those required by policies (§9).
async function addVersionBefore(
  scope: Scope,
  { before, versioning }: { before: DocumentRow; versioning: Increment },
  events: AuditEvent[],
): Promise<DocumentRow> {
  const isEligible = before.isCheckedOut && versioning === 'NONE';
  const increment = isEligible ? automaticIncrement(scope, 'before', before, before) : 'NONE';
  if (increment === 'NONE') return before;
  const checkedInRow = checkedIn(before, increment);
  await insertVersion(scope, checkedInRow);
  events.push(checkInEvent(scope, checkedInRow));
  return checkedInRow;
}

/** Returns an approved or obsolete document to the state `project`, as every change does. */
function backToProject(row: DocumentRow, events: AuditEvent[]): DocumentRow {
  if (row.state !== 'approved' && row.state !== 'obsolete') return row;
  const document = { ...row, state: 'project' };
  const extended = { from: row.state, to: document.state, transition: 'backToProject' };
  events.push({
    eventId: 'lifecycle_transition_event',
    category: 'eventLifeCycleCategory',
    document,
    extended,
  });
  return document;
}

/**
 * Writes a user's change to a locked document and creates any versions that the change requires. A checked-in document
 * is checked out first, and versioning policies can require versions of the state before or after the change (§11).
 * @param change `after` is the row with only the user's changes
 * @param versioning if set, a version of the changed document is created and returned, and policies create no versions
 */
export async function saveChange(
  scope: Scope,
  change: { before: DocumentRow; after: DocumentRow },
  versioning: Increment = 'NONE',
): Promise<DocumentRow> {
  const { before } = change;
  const after = await beforeWrite(scope, before, change.after);
  const events: AuditEvent[] = [];
  const held = await addVersionBefore(scope, { before, versioning }, events);
  const { majorVersion, minorVersion, isCheckedOut, baseVersionId } = await checkedOut(scope, held);
  const current = await withoutFormerFile(scope.db, { before, after });
  const out = { ...current, majorVersion, minorVersion, isCheckedOut, baseVersionId };
  const changed = held.isCheckedOut ? out : backToProject(out, events);
  const increment = versioning === 'NONE' ? automaticIncrement(scope, 'after', changed, before) : versioning;
  const live = increment === 'NONE' ? changed : checkedIn(changed, increment);

  const extended = changesIn(before, after);
  events.push({ eventId: 'documentModified', document: live, extended });
  if (increment !== 'NONE') events.push(checkInEvent(scope, live));
  await saveDocument(scope, live, events);
  await replaceBlobs(scope, { before, after: live });
  if (increment === 'NONE') return live;
  const version = await insertVersion(scope, live);
  return versioning === 'NONE' ? live : version;
}
