import { useState } from 'react';
import { refresh, send } from '../graphql/client.ts';
import { addAce, addAces } from '../graphql/operations.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { notify } from '../parts/notices.tsx';
import { text } from '../texts/text.ts';
import { ShareFields, useShare } from './share-fields.tsx';

/** The number of milliseconds for which a guest has access by default. */
const defaultTime = 30 * 86_400_000;

/** The permission that each mode grants in addition to Read. */
const permissionOf: Readonly<Record<string, string>> = { comment: 'Comment', upload: 'AddChildren' };

interface InviteGuestProps {
  readonly uid: string;
  readonly modes: readonly string[];
  readonly onClose: () => void;
}

/** Invites someone without an account to a document. The guest signs in with a code sent by email. */
export function InviteGuest({ uid, modes, onClose }: InviteGuestProps) {
  const [email, setEmail] = useState('');
  const { fields, right: mode, end, comment } = useShare('guest', modes);
  const invite = async () => {
    const guest = {
      username: email.trim(),
      granted: true,
      end: end ?? new Date(Date.now() + defaultTime).toISOString(),
    };
    const additional = permissionOf[mode];
    const read = { ...guest, permission: 'Read', notify: true, comment };
    await (additional
      ? send(addAces, { id: uid, first: { ...guest, permission: additional }, second: read })
      : send(addAce, { id: uid, ace: read }));
    await refresh();
    notify({ kind: 'done', message: text('guests.invited', { email: guest.username }) });
  };
  return (
    <FormDialog
      title={text('guests.invite')}
      submit={text('guests.invite')}
      onSubmit={invite}
      onClose={onClose}
      isDisabled={email.trim() === ''}
    >
      <p>{text('guests.hint')}</p>
      <TextField
        label={text('share.email')}
        type="email"
        value={email}
        onChange={setEmail}
        autoComplete="off"
        isRequired
      />
      <ShareFields {...fields} />
    </FormDialog>
  );
}
