import { Check } from 'lucide-react';
import { Link } from 'react-router';
import { MentionText } from '../activity/mention-text.tsx';
import { addressOf, documentAddress } from '../listing/address.ts';
import { IconButton } from '../parts/button.tsx';
import { Time } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { Person, PersonAvatar } from '../values/person.tsx';
import { labelText } from '../workflows/labels.ts';
import { type InboxEntry, markRead } from './use-inbox.ts';

/** The data of log entries about tasks. */
interface TaskData {
  readonly taskId?: string;
  readonly taskName?: string;
}

/** Where an entry leads: to the task, to the comments and changes of the document, or to the document. */
function addressOfEntry({ reason, entry, document }: InboxEntry): string {
  const { taskId } = (entry.extended ?? {}) as TaskData;
  if (reason === 'task' && taskId) return `/tasks?task=${taskId}`;
  if (!document) return '/tasks';
  return reason === 'share' ? addressOf(document) : documentAddress(document.uid, 'activity');
}

/** Shows why the entry concerns the user or, if the user follows the document, what happened to it. */
function whatOf({ reason, entry }: InboxEntry): string {
  const { taskName = '' } = (entry.extended ?? {}) as TaskData;
  if (reason === 'follow') return textOr(`event.${entry.eventId}`, entry.eventId);
  return textOr(`inbox.${reason}`, reason, { name: labelText(taskName) });
}

/** Shows entries of the inbox, the unread ones marked. Opening an entry marks it as read. */
export const InboxRows = ({ entries }: { readonly entries: readonly InboxEntry[] }) => (
  <ol className="home-rows">
    {entries.map((each) => {
      const { entry, document, isUnread, comment } = each;
      const title = document ? document.title || text('browse.root') : text('nav.tasks');
      return (
        <li key={entry.id} className={isUnread ? 'inbox-entry unread' : 'inbox-entry'}>
          <PersonAvatar id={entry.principalName} />
          <div className="inbox-text">
            <p>
              <strong>
                <Person id={entry.principalName} />
              </strong>{' '}
              <Link to={addressOfEntry(each)} onClick={() => markRead([each])}>
                {title}
              </Link>{' '}
              <span className="hint">
                {whatOf(each)} · <Time at={entry.eventDate} />
              </span>
            </p>
            {comment?.text && (
              <p className="inbox-comment">
                <MentionText body={comment.text} mentions={comment.mentions} />
              </p>
            )}
          </div>
          {isUnread && (
            <>
              <span className="badge">{text('home.new')}</span>
              <IconButton
                label={`${text('inbox.markRead')}: ${title}`}
                icon={Check}
                onPress={() => markRead([each])}
              />
            </>
          )}
        </li>
      );
    })}
  </ol>
);
