import { Conflict, Invalid } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import type { DocumentReference } from '../../model/document-reference.ts';
import { lifeCycle, transitionsFrom } from '../../model/life-cycle.ts';
import type { Scope } from '../../scope.ts';
import { lockDocument } from '../row-locks/lock-document.ts';
import { checkedOut } from '../versions/versions.ts';
import { withModification } from './dublin-core.ts';
import { trashDocument } from './trash/trash.ts';
import { untrashDocument } from './trash/untrash.ts';
import { saveDocument } from './write-document.ts';

/**
 * Follows a life-cycle transition. A checked-in document is checked out first (§3).
 * @param name the transition; `delete` and `undelete` move the document to the trash and restore it
 * @throws NotFound, Forbidden; Invalid for an unknown transition; Conflict if the transition is not possible in the
 * document's state; the message names the possible transitions
 */
export async function followTransition(
  scope: Scope,
  reference: DocumentReference,
  name: string,
): Promise<DocumentRow> {
  const transition = Object.hasOwn(lifeCycle.transitions, name) ? lifeCycle.transitions[name] : undefined;
  if (!transition) {
    throw new Invalid(
      `"${name}" is not a transition. The transitions are ${Object.keys(lifeCycle.transitions).join(', ')}.`,
    );
  }
  if (name === 'delete') return trashDocument(scope, reference);
  if (name === 'undelete') return untrashDocument(scope, reference);
  const before = await lockDocument(scope, reference, { mode: 'NO KEY UPDATE', needs: 'WriteLifeCycle' });
  const { from, to } = transition;
  if (!from.includes(before.state)) {
    const possible = transitionsFrom(before).join(', ');
    throw new Conflict(
      `The transition ${name} is not possible in the state ${before.state}. Possible transitions: ${possible}.`,
    );
  }
  const document = { ...withModification(scope, await checkedOut(scope, before)), state: to };
  const extended = { from: before.state, to, transition: name };
  const event = { eventId: 'lifecycle_transition_event', category: 'eventLifeCycleCategory' } as const;
  await saveDocument(scope, document, [{ ...event, document, extended }]);
  return document;
}
