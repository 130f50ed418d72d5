import type { DocumentLogQuery } from '../graphql/operations.ts';
import { Time } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { Person, PersonAvatar } from '../values/person.tsx';
import { labelText } from '../workflows/labels.ts';

type LogEntry = DocumentLogQuery['document']['audit']['entries'][number];

interface Extended {
  /** The message key for the name of the task. */
  readonly taskName?: string;
  /** The name of the button that completed the task. */
  readonly action?: string;
  /** The name of the workflow model. */
  readonly modelName?: string;
  /** The state of the document after a transition. */
  readonly to?: string;
  /** The kinds of ACLs that were changed. */
  readonly acls?: readonly string[];
}

/**
 * Whether an entry is a side effect of another action. For example, creating a task grants its actors access to the
 * document.
 */
const isSideEffect = ({ eventId, extended }: LogEntry): boolean => {
  const { acls = [] } = (extended ?? {}) as Extended;
  const isOfTasks = acls.length > 0 && acls.every((name) => name === 'routing' || name === 'delegation');
  return eventId === 'afterWorkflowTaskCreated' || (eventId === 'documentSecurityUpdated' && isOfTasks);
};

/** Returns the predicate of a sentence about the event. The subject of the sentence is the user's name. */
function predicateOf({ eventId, extended }: LogEntry): string {
  const { taskName, action, modelName, to } = (extended ?? {}) as Extended;
  if (eventId === 'afterWorkflowTaskEnded' && action !== undefined)
    return textOr(`outcome.${action.toLowerCase()}`, text('outcome.other', { action: labelText(action) }));
  if (eventId === 'lifecycle_transition_event' && to !== undefined)
    return text('history.state', { state: textOr(`state.${to}`, to) });
  const name = labelText(taskName ?? modelName ?? '');
  return textOr(`history.${eventId}`, textOr(`event.${eventId}`, eventId), { name });
}

/** Shows the remark on an entry, which is the user's comment or a text that the server recorded. */
function Remark({ comment, eventId }: LogEntry) {
  const isOwn = eventId.startsWith('document') || eventId.startsWith('afterWorkflowTask');
  if (!comment || !isOwn || comment.startsWith('wf.') || /^\w+:[\da-f-]{36}$/.test(comment)) return null;
  return <p className="hint long-text">{comment}</p>;
}

/** Shows entries of the audit log as sentences, newest first. */
export const History = ({ entries }: { readonly entries: readonly LogEntry[] }) => (
  <ol className="timeline">
    {entries
      .filter((entry) => !isSideEffect(entry))
      .map((entry) => (
        <li key={entry.id}>
          <div className="timeline-head">
            <PersonAvatar id={entry.principalName} />
            <span>
              <strong>
                <Person id={entry.principalName} />
              </strong>{' '}
              {predicateOf(entry)}
            </span>
            <Time at={entry.eventDate} />
          </div>
          <Remark {...entry} />
        </li>
      ))}
  </ol>
);
