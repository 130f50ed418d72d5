import { Conflict, Invalid } from '../errors.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { lifeCycle, transitionsFrom } from '../model/life-cycle.ts';
import type { Scope } from '../scope.ts';
import { touched } from './dublin-core.ts';
import { type DocumentReference, lockDocument, requireMutable } from './lock-document.ts';
import { trashDocument } from './trash.ts';
import { untrashDocument } from './untrash.ts';
import { checkedOut } from './versions.ts';
import { saveDocument } from './write-document.ts';

/**
 * Takes a document from its state to the next one; one that is checked in is checked out by that (§3).
 * @param name of the transition; `delete` and `undelete` are the trash's.
 * @throws NotFound, Forbidden; Invalid when there is no such transition; Conflict when it does not lead on from the
 * document's state, naming those that do.
 */
export async function followTransition(
  scope: Scope,
  reference: DocumentReference,
  name: string,
): Promise<DocumentRow> {
  const transition = Object.hasOwn(lifeCycle.transitions, name) ? lifeCycle.transitions[name] : undefined;
  if (!transition) {
    throw new Invalid(`"${name}" is none of ${Object.keys(lifeCycle.transitions).join(', ')}`);
  }
  if (name === 'delete') return trashDocument(scope, reference);
  if (name === 'undelete') return untrashDocument(scope, reference);
  const before = await lockDocument(scope, reference, { hold: 'NO KEY UPDATE', needs: 'WriteLifeCycle' });
  requireMutable(before, 'WriteProperties');
  const { from, to } = transition;
  if (!from.includes(before.state)) {
    const possible = transitionsFrom(before.state).join(', ');
    throw new Conflict(`${name} does not lead on from ${before.state}: ${possible} would`);
  }
  const document = { ...touched(scope, await checkedOut(scope, before)), state: to };
  const extended = { from: before.state, to, transition: name };
  const event = { eventId: 'lifecycle_transition_event', category: 'eventLifeCycleCategory' };
  await saveDocument(scope, document, [{ ...event, document, extended }]);
  return document;
}
