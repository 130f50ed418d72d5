import { ShieldMinus, ShieldPlus, X } from 'lucide-react';
import { useState } from 'react';
import { may, type PartProps } from '../document/document.ts';
import { change } from '../graphql/change.ts';
import { send, useAnswer } from '../graphql/client.ts';
import {
  type AclsQuery,
  acls,
  blockInheritance,
  removeAce,
  unblockInheritance,
} from '../graphql/operations.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { useName, useNames } from '../values/names.ts';
import { Person, PersonAvatar } from '../values/person.tsx';
import { BlockDialog } from './block-dialog.tsx';
import { Links } from './links.tsx';
import { isBlock, permissionText } from './names.ts';
import { Why } from './why.tsx';

type Ace = AclsQuery['document']['acls'][number]['aces'][number];

interface RemoveAceProps {
  readonly uid: string;
  readonly ace: Ace;
  readonly onClose: () => void;
}

/** Asks for confirmation before an entry is removed, and says who loses which permission. */
function RemoveAce({ uid, ace, onClose }: RemoveAceProps) {
  const who = useName(ace.username);
  const permission = permissionText(ace.permission);
  const question = text(ace.granted ? 'permissions.removeQuestion' : 'permissions.removeDenial', {
    who,
    permission,
  });
  return (
    <Confirm
      title={text('permissions.removeTitle')}
      question={question}
      submit={text('permissions.removeTitle')}
      done={text('done.permissions')}
      onConfirm={() => send(removeAce, { id: uid, ace: ace.id })}
      onClose={onClose}
    />
  );
}

interface AcesProps {
  readonly aces: readonly Ace[];
  readonly caption: string;
  /** Called when the user chooses to remove an entry; absent if the user cannot remove entries. */
  readonly onRemove?: (ace: Ace) => void;
}

function Aces({ aces, caption, onRemove }: AcesProps) {
  const nameOf = useNames(aces.map(({ username }) => username));
  return (
    <div className="scrolled">
      <table className="plain-table">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{text('permissions.who')}</th>
            <th scope="col">{text('permissions.permission')}</th>
            <th scope="col">{text('permissions.since')}</th>
            <th scope="col">{text('permissions.until')}</th>
            {onRemove && (
              <th scope="col">
                <span className="visually-hidden">{text('form.remove')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {aces.map((ace) => (
            <tr key={ace.id} className={ace.status === 'archived' ? 'faded' : ''}>
              <th scope="row">
                <span className="with-avatar">
                  <PersonAvatar id={ace.username} /> <Person id={ace.username} />
                </span>
              </th>
              <td>
                {ace.granted
                  ? permissionText(ace.permission)
                  : text('permissions.denied', { permission: permissionText(ace.permission) })}
                {ace.status !== 'effective' && (
                  <span className="badge">{textOr(`ace.${ace.status}`, ace.status)}</span>
                )}
              </td>
              <td data-label={text('permissions.since')}>
                <Time at={ace.begin} />
              </td>
              <td data-label={text('permissions.until')}>
                <Time at={ace.end} />
              </td>
              {onRemove && (
                <td>
                  <IconButton
                    label={`${text('form.remove')}: ${nameOf(ace.username)}, ${permissionText(ace.permission)}`}
                    icon={X}
                    onPress={() => onRemove(ace)}
                  />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Shows the access control lists of a document, and explains what a user can do with it. */
export function Permissions({ document }: PartProps) {
  const { uid } = document;
  const { data, error } = useAnswer(acls, { id: uid });
  const [isBlocking, setBlocking] = useState(false);
  const [removing, setRemoving] = useState<Ace>();
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const mayChange = may(document, 'WriteSecurity');
  const all = data.document.acls;
  const local = all.find(({ name }) => name === 'local')?.aces ?? [];
  const isBlocked = local.some(isBlock);
  const inherit = () =>
    change(
      () => send(unblockInheritance, { id: uid }),
      text('done.permissions'),
      () => send(blockInheritance, { id: uid }),
    );
  return (
    <div className="stack">
      <section className="card">
        <div className="card-head">
          <h2>{text('permissions.here')}</h2>
          {mayChange && (
            <div className="actions">
              <Button
                icon={isBlocked ? ShieldPlus : ShieldMinus}
                onPress={() => (isBlocked ? inherit() : setBlocking(true))}
              >
                {text(isBlocked ? 'permissions.unblock' : 'permissions.block')}
              </Button>
            </div>
          )}
        </div>
        {isBlocked && <p className="banner">{text('permissions.isBlocked')}</p>}
        {all.every(({ aces }) => aces.length === 0) && <p className="hint">{text('permissions.none')}</p>}
        {all
          .filter(({ name, aces }) => aces.length > 0 && !name.startsWith('share/'))
          .map(({ name, aces }) => (
            <Aces
              key={name}
              caption={textOr(`acl.${name.split('/', 1)[0]}`, name)}
              aces={name === 'local' ? aces.filter((ace) => !isBlock(ace)) : aces}
              {...(name === 'local' &&
                mayChange && {
                  onRemove: setRemoving,
                })}
            />
          ))}
      </section>
      {mayChange && !document.isVersion && <Links document={document} />}
      <Why uid={uid} />
      {isBlocking && <BlockDialog uid={uid} acls={all} onClose={() => setBlocking(false)} />}
      {removing && <RemoveAce uid={uid} ace={removing} onClose={() => setRemoving(undefined)} />}
    </div>
  );
}
