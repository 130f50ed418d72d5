import type { DocumentRow } from '../loaders/document-row.ts';
import type { Increment } from '../model/versioning.ts';
import type { Scope } from '../scope.ts';
import type { Event } from './audit.ts';
import { automaticIncrement, checkedIn, checkedOut, checkInEvent, insertVersion } from './versions.ts';
import { replaceBlobs, saveDocument } from './write-document.ts';

/**
 * The state before an update as a version of its own, where a policy wants it kept, and the document upon it. A version
 * that somebody asks for is the only one: its number is the next (§9).
 */
async function keepBefore(
  scope: Scope,
  { before, versioning }: { before: DocumentRow; versioning: Increment },
  events: Event[],
): Promise<DocumentRow> {
  const isAsked = before.isCheckedOut && versioning === 'NONE';
  const increment = isAsked ? automaticIncrement(scope, 'before', before, before) : 'NONE';
  if (increment === 'NONE') return before;
  const kept = checkedIn(before, increment);
  await insertVersion(scope, kept);
  events.push(checkInEvent(scope, kept));
  return kept;
}

/** A document that was approved or obsolete is worked on again once it is no longer what was checked in. */
function backToProject(row: DocumentRow, events: Event[]): DocumentRow {
  if (row.state !== 'approved' && row.state !== 'obsolete') return row;
  const document = { ...row, state: 'project' };
  const extended = { from: row.state, to: document.state, transition: 'backToProject' };
  events.push({
    ...{ eventId: 'lifecycle_transition_event', category: 'eventLifeCycleCategory' },
    ...{ document, extended },
  });
  return document;
}

/**
 * Writes what a user has changed of a document that is held, and makes the versions that go with it: a document that
 * is checked in is checked out first, and policies may keep its state before or after (§11).
 * @param after the row with the changes alone.
 * @param versioning makes a version of the changed document, which is answered then, and stands instead of policies.
 */
export async function saveChange(
  scope: Scope,
  { before, after }: { before: DocumentRow; after: DocumentRow },
  versioning: Increment = 'NONE',
): Promise<DocumentRow> {
  const events: Event[] = [];
  const held = await keepBefore(scope, { before, versioning }, events);
  const { majorVersion, minorVersion, isCheckedOut, baseVersionId } = await checkedOut(scope, held);
  const out = { ...after, majorVersion, minorVersion, isCheckedOut, baseVersionId };
  const changed = held.isCheckedOut ? out : backToProject(out, events);
  const increment = versioning === 'NONE' ? automaticIncrement(scope, 'after', changed, before) : versioning;
  const live = increment === 'NONE' ? changed : checkedIn(changed, increment);

  events.push({ eventId: 'documentModified', document: live });
  if (increment !== 'NONE') events.push(checkInEvent(scope, live));
  await saveDocument(scope, live, events);
  const schemas = [before, live].flatMap(({ type, facets }) => scope.model.schemasOf(type, facets));
  await replaceBlobs(scope.db, { before, after: live }, [...new Set(schemas)]);
  if (increment === 'NONE') return live;
  const version = await insertVersion(scope, live);
  return versioning === 'NONE' ? live : version;
}
