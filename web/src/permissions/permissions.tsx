import { ShieldMinus, ShieldPlus, X } from 'lucide-react';
import { useState } from 'react';
import { may, type PartProps } from '../document/document.ts';
import { ReferenceField } from '../form/reference-field.tsx';
import { timeOf } from '../form/typed-fields.tsx';
import { change } from '../graphql/change.ts';
import { refresh, send, useAnswer } from '../graphql/client.ts';
import {
  type AclsQuery,
  acls,
  addAce,
  blockInheritance,
  removeAce,
  unblockInheritance,
} from '../graphql/operations.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Select, TextField } from '../parts/fields.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { permissionText } from './names.ts';
import { Why } from './why.tsx';

type Ace = AclsQuery['document']['acls'][number]['aces'][number];

const isBlock = ({ username, permission, granted }: Ace): boolean =>
  username === 'Everyone' && permission === 'Everything' && !granted;

interface GrantProps {
  readonly uid: string;
  readonly offered: readonly string[];
  readonly onClose: () => void;
}

function Grant({ uid, offered, onClose }: GrantProps) {
  const [username, setUsername] = useState('');
  const [permission, setPermission] = useState(offered[0] ?? 'Read');
  const [begin, setBegin] = useState('');
  const [end, setEnd] = useState('');
  const grant = async () => {
    const ace = { username, permission, granted: true, begin: timeOf(begin), end: timeOf(end) };
    await send(addAce, { id: uid, ace });
    await refresh();
  };
  return (
    <FormDialog
      title={text('permissions.grant')}
      submit={text('permissions.grant')}
      onSubmit={grant}
      onClose={onClose}
      isDisabled={username === ''}
    >
      <ReferenceField
        label={text('permissions.who')}
        hint={text('permissions.whoHint')}
        reference={{ to: 'principal' }}
        value={username}
        onChange={setUsername}
      />
      <Select
        label={text('permissions.permission')}
        value={permission}
        onChange={setPermission}
        options={offered.map((id) => ({ id, label: permissionText(id) }))}
      />
      <TextField
        label={text('permissions.since')}
        hint={text('permissions.sinceHint')}
        type="datetime-local"
        value={begin}
        onChange={setBegin}
      />
      <TextField
        label={text('permissions.until')}
        hint={text('permissions.untilHint')}
        type="datetime-local"
        value={end}
        onChange={setEnd}
      />
    </FormDialog>
  );
}

interface AcesProps {
  readonly aces: readonly Ace[];
  readonly caption: string;
  /** Absent if the user cannot remove the entries. */
  readonly onRemove?: (ace: Ace) => void;
}

const Aces = ({ aces, caption, onRemove }: AcesProps) => (
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
            <th scope="row">{ace.username}</th>
            <td>
              {ace.granted
                ? permissionText(ace.permission)
                : text('permissions.denied', { permission: permissionText(ace.permission) })}
              {ace.status !== 'effective' && (
                <span className="badge">{textOr(`ace.${ace.status}`, ace.status)}</span>
              )}
            </td>
            <td>
              <Time at={ace.begin} />
            </td>
            <td>
              <Time at={ace.end} />
            </td>
            {onRemove && (
              <td>
                <IconButton
                  label={`${text('form.remove')}: ${ace.username}, ${permissionText(ace.permission)}`}
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

/** The access control lists of a document, and the explanation of what a user can do with it. */
export function Permissions({ document }: PartProps) {
  const { uid } = document;
  const { data, error } = useAnswer(acls, { id: uid });
  const [isGranting, setGranting] = useState(false);
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const mayChange = may(document, 'WriteSecurity');
  const all = data.document.acls;
  const local = all.find(({ name }) => name === 'local')?.aces ?? [];
  const isBlocked = local.some(isBlock);
  const changeAcl = (work: () => Promise<unknown>) => change(work, text('done.permissions'));
  return (
    <div className="stack">
      <section className="card">
        <div className="card-head">
          <h2>{text('permissions.here')}</h2>
          {mayChange && (
            <div className="actions">
              <Button
                icon={isBlocked ? ShieldPlus : ShieldMinus}
                onPress={() =>
                  changeAcl(() =>
                    isBlocked ? send(unblockInheritance, { id: uid }) : send(blockInheritance, { id: uid }),
                  )
                }
              >
                {text(isBlocked ? 'permissions.unblock' : 'permissions.block')}
              </Button>
              <Button kind="main" icon={ShieldPlus} onPress={() => setGranting(true)}>
                {text('permissions.grant')}
              </Button>
            </div>
          )}
        </div>
        {isBlocked && <p className="banner">{text('permissions.isBlocked')}</p>}
        {all.every(({ aces }) => aces.length === 0) && <p className="hint">{text('permissions.none')}</p>}
        {all
          .filter(({ aces }) => aces.length > 0)
          .map(({ name, aces }) => (
            <Aces
              key={name}
              caption={textOr(`acl.${name}`, name)}
              aces={name === 'local' ? aces.filter((ace) => !isBlock(ace)) : aces}
              {...(name === 'local' &&
                mayChange && {
                  onRemove: (ace: Ace) => changeAcl(() => send(removeAce, { id: uid, ace: ace.id })),
                })}
            />
          ))}
      </section>
      <Why uid={uid} />
      {isGranting && (
        <Grant
          uid={uid}
          offered={data.document.contextParameters.userVisiblePermissions}
          onClose={() => setGranting(false)}
        />
      )}
    </div>
  );
}
