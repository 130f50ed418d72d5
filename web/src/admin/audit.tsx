import { useState } from 'react';
import { Link } from 'react-aria-components';
import { ReferenceField } from '../form/reference-field.tsx';
import { auditLog } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { documentAddress } from '../listing/address.ts';
import { TextField } from '../parts/fields.tsx';
import { Time } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { PagedTable } from './table.tsx';

const dateOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString());

/** The audit log of the server, newest events first. */
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
              docUUID && docPath ? <Link href={documentAddress(docUUID)}>{docPath}</Link> : docPath,
          },
          {
            label: text('audit.comment'),
            value: ({ comment }) => <span className="long-text">{comment}</span>,
          },
        ]}
      />
    </section>
  );
}
