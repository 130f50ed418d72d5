import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { ReferenceField } from '../form/reference-field.tsx';
import { useAnswer } from '../graphql/client.ts';
import { auditLog, titles as titlesOf } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { documentAddress } from '../listing/address.ts';
import { TextField } from '../parts/fields.tsx';
import { Time } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { labelText } from '../workflows/labels.ts';
import { PagedTable } from './table.tsx';

const dateOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString());

/** Loads the titles of the documents in log entries, by document id. Documents that no longer exist are omitted. */
function useTitles(entries: ReadonlyArray<{ readonly docUUID: string | null }>): ReadonlyMap<string, string> {
  const ids = [...new Set(entries.flatMap(({ docUUID }) => docUUID ?? []))];
  const { data } = useAnswer(
    titlesOf,
    { ids },
    { enabled: ids.length > 0, placeholderData: keepPreviousData },
  );
  return new Map((data?.documents ?? []).flatMap((each) => (each ? [[each.uid, each.title] as const] : [])));
}

/**
 * Returns the last segment of a path, without the suffix that the server adds to the names of trashed documents.
 */
const nameIn = (path: string): string =>
  (path.split('/').at(-1) ?? path).replace(/\._\d+_\.trashed$/, '') || path;

/** Shows the server's audit log, newest events first. */
export function Audit() {
  const [user, setUser] = useState('');
  const [event, setEvent] = useState('');
  const [start, setStart] = useState('');
  const [end, setEnd] = useState('');
  const filter = {
    principal: user ? [user] : null,
    event: event ? [event] : null,
    start: dateOf(start),
    end: dateOf(end),
  };
  const pages = usePages(auditLog, filter, (data) => data.logEntries);
  const titles = useTitles(pages.entries);
  return (
    <section className="card">
      <div className="filters">
        <ReferenceField
          label={text('audit.user')}
          reference={{ to: 'user' }}
          value={user}
          onChange={setUser}
        />
        <ReferenceField
          label={text('audit.event')}
          reference={{ to: 'directory', directory: 'eventTypes' }}
          value={event}
          onChange={setEvent}
        />
        <TextField label={text('audit.start')} type="datetime-local" value={start} onChange={setStart} />
        <TextField label={text('audit.end')} type="datetime-local" value={end} onChange={setEnd} />
      </div>
      <PagedTable
        label={text('admin.audit')}
        pages={pages}
        keyOf={({ id }) => id}
        empty={text('audit.none')}
        columns={[
          { label: text('audit.event'), value: ({ eventId }) => textOr(`event.${eventId}`, eventId) },
          { label: text('audit.user'), value: ({ principalName }) => principalName },
          { label: text('audit.when'), value: ({ eventDate }) => <Time at={eventDate} /> },
          {
            label: text('document'),
            value: ({ docUUID, docPath }) =>
              docUUID && docPath ? (
                <Link href={documentAddress(docUUID)}>
                  <span title={docPath}>{titles.get(docUUID) ?? nameIn(docPath)}</span>
                </Link>
              ) : (
                docPath
              ),
          },
          {
            label: text('audit.comment'),
            value: ({ comment }) => (
              <span className="long-text">{comment?.startsWith('wf.') ? labelText(comment) : comment}</span>
            ),
          },
        ]}
      />
    </section>
  );
}
