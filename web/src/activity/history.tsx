import type { DocumentLogQuery } from '../graphql/operations.ts';
import { Time } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { Person, PersonAvatar } from '../values/person.tsx';
import { labelText } from '../workflows/labels.ts';
import { Changes, extendedOf, placesOf, useTitles } from './changes.tsx';

type LogEntry = DocumentLogQuery['document']['audit']['entries'][number];

/**
 * Whether an entry is a side effect of another action. For example, creating a task grants its actors access to the
 * document.
 */
const isSideEffect = (entry: LogEntry): boolean => {
  const { acls = [] } = extendedOf(entry);
  const isOfTasks = acls.length > 0 && acls.every((name) => name === 'routing' || name === 'delegation');
  return (
    entry.eventId === 'afterWorkflowTaskCreated' || (entry.eventId === 'documentSecurityUpdated' && isOfTasks)
  );
};

const tagText = (key: 'history.tagsAdded' | 'history.tagsRemoved', tags: readonly string[]): string[] =>
  tags.length > 0
    ? [text(key, { count: tags.length, tags: tags.map((tag) => text('quoted', { text: tag })).join(', ') })]
    : [];

/** The version label at the beginning of the comment of a version's entry, and the user's comment after it. */
function splitVersion(comment: string | null): { readonly label: string; readonly remark: string } {
  const [, label = '', remark = ''] = /^(\d+\.\d+)(?: (.*))?$/s.exec(comment ?? '') ?? [];
  return { label, remark };
}

/**
 * Returns the predicate of a sentence about the event. The subject of the sentence is the user's name.
 * @param titles the titles of sections and collections, by id
 */
function predicateOf(entry: LogEntry, titles: ReadonlyMap<string, string>): string {
  const { eventId, comment } = entry;
  const { taskName, action, modelName, to, added = [], removed = [], ...places } = extendedOf(entry);
  if (eventId === 'afterWorkflowTaskEnded' && action !== undefined)
    return textOr(`outcome.${action.toLowerCase()}`, text('outcome.other', { action: labelText(action) }));
  if (eventId === 'lifecycle_transition_event' && to !== undefined)
    return text('history.state', { state: textOr(`state.${to}`, to) });
  if (eventId === 'documentTagUpdated') {
    const parts = [...tagText('history.tagsAdded', added), ...tagText('history.tagsRemoved', removed)];
    if (parts.length > 0) return parts.join(', ');
  }
  const { label } = splitVersion(comment);
  if (eventId === 'documentCheckedIn' && label) return text('history.versionCreated', { label });
  if (eventId === 'documentRestored' && label) return text('history.versionRestored', { label });
  const title = titles.get(places.section ?? places.collection ?? '');
  const name = labelText(taskName ?? modelName ?? '');
  const key = `history.${eventId}`;
  const plain = textOr(key, textOr(`event.${eventId}`, eventId), { name, label: places.version ?? '' });
  if (!title) return plain;
  return textOr(`${key}.in`, plain, { title, label: places.version ?? '' });
}

/** Shows the remark on an entry, which is the user's comment or a text that the server recorded. */
function Remark({ comment, eventId }: LogEntry) {
  const isOwn = eventId.startsWith('document') || eventId.startsWith('afterWorkflowTask');
  if (!comment || !isOwn || comment.startsWith('wf.') || /^\w+:[\da-f-]{36}$/.test(comment)) return null;
  const isVersion = eventId === 'documentCheckedIn' || eventId === 'documentRestored';
  const { label, remark } = splitVersion(comment);
  const shown = isVersion && label ? remark : comment;
  return shown ? <p className="hint long-text">{shown}</p> : null;
}

/** Shows entries of the audit log as sentences, newest first, with the properties that were changed. */
export function History({ entries }: { readonly entries: readonly LogEntry[] }) {
  const titles = useTitles(placesOf(entries));
  return (
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
                {predicateOf(entry, titles)}
              </span>
              <Time at={entry.eventDate} />
            </div>
            <Remark {...entry} />
            <Changes entry={entry} />
          </li>
        ))}
    </ol>
  );
}
