import { useState } from 'react';
import { send, useAnswer } from '../graphql/client.ts';
import { changePassword, type OwnPasswordQuery, ownPassword } from '../graphql/operations.ts';
import { Dialog, FormDialog } from '../parts/dialog.tsx';
import { PasswordField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import { useSession } from './session.ts';

type SignIn = OwnPasswordQuery['me']['signIn'];

/** Tells a user without a password on this server where the password is changed. */
export function passwordOrigin({ identities }: SignIn): string {
  const labels = new Set(identities.filter(({ endDate }) => !endDate).map(({ label }) => label));
  return labels.size > 0
    ? text('password.elsewhere', { providers: [...labels].join(', ') })
    : text('password.none');
}

interface ChangePasswordProps {
  readonly onClose: () => void;
}

function NewPassword({ onClose }: ChangePasswordProps) {
  const { signOut } = useSession();
  const [oldPassword, setOld] = useState('');
  const [newPassword, setNew] = useState('');
  const change = async () => {
    await send(changePassword, { passwords: { oldPassword, newPassword } });
    signOut();
  };
  return (
    <FormDialog
      title={text('password.change')}
      submit={text('password.change')}
      onSubmit={change}
      onClose={onClose}
      isDisabled={oldPassword === '' || newPassword === ''}
    >
      <p className="hint">{text('password.hint')}</p>
      <PasswordField label={text('password.old')} value={oldPassword} onChange={setOld} />
      <PasswordField label={text('password.new')} value={newPassword} onChange={setNew} isNew />
    </FormDialog>
  );
}

/**
 * A dialog that changes the user's password. A successful change ends all of the user's sessions, so the page signs
 * out. For a user whose password belongs to an identity provider, the dialog says so.
 */
export function ChangePassword({ onClose }: ChangePasswordProps) {
  const { data, error } = useAnswer(ownPassword, {});
  if (!data && !error) return null;
  if (!data || data.me.signIn.hasPassword) return <NewPassword onClose={onClose} />;
  return (
    <Dialog title={text('password.change')} onClose={onClose}>
      <p>{passwordOrigin(data.me.signIn)}</p>
    </Dialog>
  );
}
