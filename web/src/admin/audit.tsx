import { Link } from 'react-aria-components';
import { useSearchParams } from 'react-router';
import { Changes, placesOf, useTitles } from '../activity/changes.tsx';
import { fieldLabel } from '../form/labels.ts';
import { ReferenceField } from '../form/reference-field.tsx';
import { auditLog } from '../graphql/operations.ts';
import { usePages } from '../graphql/pages.ts';
import { documentAddress } from '../listing/address.ts';
import { nameText, pathText } from '../listing/path-text.ts';
import { TextField } from '../parts/fields.tsx';
import { Time } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { useNames } from '../values/names.ts';
import { Person } from '../values/person.tsx';
import { labelText } from '../workflows/labels.ts';
import { SavedFilters } from './saved-filters.tsx';
import { PagedTable } from './table.tsx';

const dateOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString());

const accountCategories: readonly string[] = ['userGroup', 'NuxeoAuthentication'];

/** The data of entries about users, groups and sign-ins that are shown, each with its label. */
const accountKeys = [
  'id',
  'changed',
  'joined',
  'left',
  'created',
  'ended',
  'enabled',
  'secondFactor',
  'password',
  'provider',
  'application',
  'browser',
  'method',
  'address',
  'count',
] as const;

/** The data that are ids of users and groups. */
const personKeys: readonly string[] = ['id', 'joined', 'left'];

function valueText(key: string, value: string, nameOf: (id: string) => string): string {
  if (personKeys.includes(key)) return nameOf(value);
  return key === 'changed' ? fieldLabel(value) : textOr(`audit.value.${value}`, value);
}

/** Shows what an entry about a user, a group or a sign-in says. */
function AccountDetails({ extended }: { readonly extended: unknown }) {
  const values = (extended ?? {}) as Readonly<Record<string, unknown>>;
  const shown = accountKeys.filter((key) => values[key] !== undefined && values[key] !== null);
  const nameOf = useNames(personKeys.flatMap((key) => values[key] ?? []).map(String));
  if (shown.length === 0) return null;
  return (
    <dl className="differences">
      {shown.map((key) => (
        <div key={key}>
          <dt>{text(`audit.${key}`)}</dt>
          <dd>
            {[values[key]]
              .flat()
              .map((value) => valueText(key, String(value), nameOf))
              .join(', ')}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface DetailsProps {
  readonly entry: {
    readonly eventId: string;
    readonly category: string;
    readonly comment: string | null;
    readonly extended: unknown;
  };
  readonly titles: ReadonlyMap<string, string>;
}

/** Shows the comment on an event, the place that it refers to, and what it has changed. */
function Details({ entry, titles }: DetailsProps) {
  const { comment } = entry;
  const [place] = placesOf([entry]);
  return (
    <div className="event-details">
      {comment && <p className="long-text">{comment.startsWith('wf.') ? labelText(comment) : comment}</p>}
      {place && <Link href={documentAddress(place)}>{titles.get(place) ?? place}</Link>}
      {accountCategories.includes(entry.category) && <AccountDetails extended={entry.extended} />}
      <Changes entry={entry} isComplete />
    </div>
  );
}

/** The filters, by their names in the address. */
const filterNames = ['user', 'event', 'start', 'end'] as const;

type Filters = [user: string, event: string, start: string, end: string];

/** Shows the server's audit log, newest events first. */
export function Audit() {
  const [address, setAddress] = useSearchParams();
  const [user, event, start, end] = filterNames.map((name) => address.get(name) ?? '') as Filters;
  const set = (name: (typeof filterNames)[number]) => (value: string) => {
    const changed = new URLSearchParams(address);
    if (value === '') changed.delete(name);
    else changed.set(name, value);
    setAddress(changed, { replace: true });
  };
  const filter = {
    principal: user ? [user] : null,
    event: event ? [event] : null,
    start: dateOf(start),
    end: dateOf(end),
  };
  const pages = usePages(auditLog, filter, (data) => data.logEntries);
  const titles = useTitles([...pages.entries.map(({ docUUID }) => docUUID), ...placesOf(pages.entries)]);
  return (
    <section className="card">
      <div className="filters">
        <ReferenceField
          label={text('audit.user')}
          reference={{ to: 'user' }}
          value={user}
          onChange={set('user')}
        />
        <ReferenceField
          label={text('audit.event')}
          reference={{ to: 'directory', directory: 'eventTypes' }}
          value={event}
          onChange={set('event')}
        />
        <TextField label={text('audit.start')} type="datetime-local" value={start} onChange={set('start')} />
        <TextField label={text('audit.end')} type="datetime-local" value={end} onChange={set('end')} />
      </div>
      <SavedFilters query={address.toString()} />
      <PagedTable
        label={text('admin.audit')}
        pages={pages}
        keyOf={({ id }) => id}
        empty={text('audit.none')}
        columns={[
          { label: text('audit.event'), value: ({ eventId }) => textOr(`event.${eventId}`, eventId) },
          { label: text('audit.user'), value: ({ principalName }) => <Person id={principalName} /> },
          { label: text('audit.when'), value: ({ eventDate }) => <Time at={eventDate} /> },
          {
            label: text('document'),
            value: ({ docUUID, docPath }) =>
              docUUID && docPath ? (
                <Link href={documentAddress(docUUID)}>
                  <span title={pathText(docPath)}>{titles.get(docUUID) ?? nameText(docPath)}</span>
                </Link>
              ) : (
                docPath && pathText(docPath)
              ),
          },
          {
            label: text('audit.details'),
            value: (entry) => <Details entry={entry} titles={titles} />,
          },
        ]}
      />
    </section>
  );
}
