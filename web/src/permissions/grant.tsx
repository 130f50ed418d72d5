import { useState } from 'react';
import { ReferenceField } from '../form/reference-field.tsx';
import { timeOf } from '../form/typed-fields.tsx';
import { refresh, send, useAnswer } from '../graphql/client.ts';
import { acls, addAce } from '../graphql/operations.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { Select, TextField } from '../parts/fields.tsx';
import { notify } from '../parts/notices.tsx';
import { text } from '../texts/text.ts';
import { permissionText } from './names.ts';

interface GrantProps {
  readonly uid: string;
  readonly offered: readonly string[];
  readonly onClose: () => void;
}

/** A dialog that grants a user or a group a permission on a document. */
export function Grant({ uid, offered, onClose }: GrantProps) {
  const [username, setUsername] = useState('');
  const [permission, setPermission] = useState(offered[0] ?? 'Read');
  const [begin, setBegin] = useState('');
  const [end, setEnd] = useState('');
  const grant = async () => {
    const ace = { username, permission, granted: true, begin: timeOf(begin), end: timeOf(end) };
    await send(addAce, { id: uid, ace });
    await refresh();
    notify({ kind: 'done', message: text('done.shared', { who: username }) });
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

/**
 * A dialog for sharing a document from anywhere in the console. It first loads the permissions that can be granted.
 */
export function ShareDialog({ uid, onClose }: Pick<GrantProps, 'uid' | 'onClose'>) {
  const { data } = useAnswer(acls, { id: uid });
  const offered = data?.document.contextParameters.userVisiblePermissions;
  return offered && <Grant uid={uid} offered={offered} onClose={onClose} />;
}
