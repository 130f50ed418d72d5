import { Check, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useSession } from '../app/session.ts';
import { ReferenceField } from '../form/reference-field.tsx';
import { useAnswer } from '../graphql/client.ts';
import { type DecidedQuery, decided } from '../graphql/operations.ts';
import { documentAddress } from '../listing/address.ts';
import { Failure, Loading } from '../parts/states.tsx';
import { type TextKey, text } from '../texts/text.ts';
import { useName } from '../values/names.ts';
import { Person } from '../values/person.tsx';
import { isBlock, permissionText } from './names.ts';

type Decided = NonNullable<DecidedQuery['document']['decidedPermissions']>[number];

/** The permissions for which the page shows an explanation. Each of the other permissions is included in one of these. */
const explained = [
  'Read',
  'ReadVersion',
  'WriteProperties',
  'AddChildren',
  'Remove',
  'WriteLifeCycle',
  'WriteVersion',
  'ManageWorkflows',
  'ReadSecurity',
  'WriteSecurity',
  'Everything',
];

type Entry = NonNullable<Decided['ace']>;

const Place = ({ place }: { readonly place: NonNullable<Decided['place']> }) => (
  <Link href={documentAddress(place.uid, 'permissions')}>{place.title || place.path}</Link>
);

/** Says on which folder the inheritance of permissions was stopped, and by whom, as far as it is known. */
const Block = ({ creator, place }: Pick<Entry, 'creator'> & Pick<Decided, 'place'>) => (
  <>
    {text('why.blocked')}
    {place && (
      <>
        {' '}
        {text('why.on')} <Place place={place} />
      </>
    )}
    {creator && (
      <>
        {' '}
        {text('why.by')} <Person id={creator} />
      </>
    )}
  </>
);

function Reason({ reason, ace, place }: Decided) {
  const who = useName(ace?.username ?? '');
  if (reason !== 'ace' || !ace) return text(`why.${reason}` as TextKey);
  if (isBlock(ace)) return <Block creator={ace.creator} place={place} />;
  const permission = permissionText(ace.permission);
  return (
    <>
      <span title={ace.username}>{text(ace.granted ? 'why.grants' : 'why.denies', { who, permission })}</span>
      {place && (
        <>
          {' · '}
          {text('why.at')} <Place place={place} />
        </>
      )}
    </>
  );
}

/**
 * Explains access: shows for each permission whether a user has it, which entry determines this, and which document has
 * that entry.
 */
export function Why({ uid }: { readonly uid: string }) {
  const { user } = useSession();
  const [who, setWho] = useState(user.id);
  const { data, error } = useAnswer(decided, { id: uid, user: who || user.id });
  const rows = data?.document.decidedPermissions?.filter(({ permission }) => explained.includes(permission));
  return (
    <section className="card">
      <h2>{text('why.title')}</h2>
      <div className="narrow">
        <ReferenceField label={text('why.user')} reference={{ to: 'user' }} value={who} onChange={setWho} />
      </div>
      {error && <Failure error={error} />}
      {!rows && !error && <Loading />}
      {rows && (
        <div className="scrolled">
          <table className="plain-table">
            <caption className="visually-hidden">{text('why.title')}</caption>
            <thead>
              <tr>
                <th scope="col">{text('permissions.permission')}</th>
                <th scope="col">{text('why.allowed')}</th>
                <th scope="col">{text('why.reason')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.permission}>
                  <th scope="row">{permissionText(row.permission)}</th>
                  <td>
                    {row.granted ? (
                      <Check size={16} aria-label={text('yes')} className="good" />
                    ) : (
                      <X size={16} aria-label={text('no')} className="bad" />
                    )}
                  </td>
                  <td>
                    <Reason {...row} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}
