import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { Increment } from '../../model/versioning.ts';
import type { Scope } from '../../scope.ts';
import type { AuditEvent } from '../audit/audit.ts';
import { withoutFormerFile } from '../renditions/former-file.ts';
import {
  automaticIncrement,
  checkedIn,
  checkedOut,
  checkInEvent,
  insertVersion,
} from '../versions/versions.ts';
import { replaceBlobs, saveDocument } from './write-document.ts';

// Makes a version of the state before the change where a policy demands it. A version that the request asks
// for is the only one (§9).
async function keepBefore(
  scope: Scope,
  { before, versioning }: { before: DocumentRow; versioning: Increment },
  events: AuditEvent[],
): Promise<DocumentRow> {
  const isAsked = before.isCheckedOut && versioning === 'NONE';
  const increment = isAsked ? automaticIncrement(scope, 'before', before, before) : 'NONE';
  if (increment === 'NONE') return before;
  const kept = checkedIn(before, increment);
  await insertVersion(scope, kept);
  events.push(checkInEvent(scope, kept));
  return kept;
}

/** A change takes an approved or obsolete document back to the state `project`. */
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
 * Writes a user's change of a locked document and makes its versions: a checked-in document is checked out
 * first, and policies may keep the state before or after (§11).
 * @param after the row with nothing but the user's changes.
 * @param versioning makes a version of the changed document, which then is the result and replaces the
 * policies.
 */
export async function saveChange(
  scope: Scope,
  { before, after }: { before: DocumentRow; after: DocumentRow },
  versioning: Increment = 'NONE',
): Promise<DocumentRow> {
  const events: AuditEvent[] = [];
  const held = await keepBefore(scope, { before, versioning }, events);
  const { majorVersion, minorVersion, isCheckedOut, baseVersionId } = await checkedOut(scope, held);
  const current = await withoutFormerFile(scope.db, { before, after });
  const out = { ...current, majorVersion, minorVersion, isCheckedOut, baseVersionId };
  const changed = held.isCheckedOut ? out : backToProject(out, events);
  const increment = versioning === 'NONE' ? automaticIncrement(scope, 'after', changed, before) : versioning;
  const live = increment === 'NONE' ? changed : checkedIn(changed, increment);

  events.push({ eventId: 'documentModified', document: live });
  if (increment !== 'NONE') events.push(checkInEvent(scope, live));
  await saveDocument(scope, live, events);
  await replaceBlobs(scope, { before, after: live });
  if (increment === 'NONE') return live;
  const version = await insertVersion(scope, live);
  return versioning === 'NONE' ? live : version;
}
