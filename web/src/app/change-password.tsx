import { useState } from 'react';
import { send } from '../graphql/client.ts';
import { changePassword } from '../graphql/operations.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { PasswordField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import { useSession } from './session.ts';

/**
 * A dialog that changes the user's password. A successful change ends all of the user's sessions, so the page signs
 * out.
 */
export function ChangePassword({ onClose }: { readonly onClose: () => void }) {
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
      <PasswordField label={text('password.old')} value={oldPassword} onChange={setOld} autoFocus />
      <PasswordField label={text('password.new')} value={newPassword} onChange={setNew} isNew />
    </FormDialog>
  );
}
