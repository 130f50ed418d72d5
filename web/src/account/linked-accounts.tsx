import { Link as LinkIcon } from 'lucide-react';
import { useState } from 'react';
import { Identities } from '../admin/identities.tsx';
import { beginAtProvider, linkDirectory, signInOptions } from '../app/session.ts';
import { refresh } from '../graphql/client.ts';
import type { OwnAccessQuery, SignInFragment } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { PasswordField, TextField } from '../parts/fields.tsx';
import { notify } from '../parts/notices.tsx';
import { text } from '../texts/text.ts';

const { passwords, providers } = signInOptions;

/** Whether the user can sign in to this server with a password, rather than only at identity providers. */
export const usesPassword = ({ hasPassword, identities }: SignInFragment): boolean =>
  passwords &&
  (hasPassword || !identities.some(({ provider }) => providers.some(({ name }) => name === provider)));

type OwnSignIn = OwnAccessQuery['me']['signIn'];
type LinkableProvider = OwnSignIn['linkableProviders'][number];

interface LinkDialogProps {
  readonly provider: LinkableProvider;
  readonly hasPassword: boolean;
  readonly onClose: () => void;
}

/**
 * Asks for the password, and then opens the identity provider's sign-in page. A user without a password must first sign
 * in again at the provider with which the session was started.
 */
function LinkDialog({ provider: { name, label }, hasPassword, onClose }: LinkDialogProps) {
  const [password, setPassword] = useState('');
  return (
    <FormDialog
      title={text('identities.linkWith', { provider: label })}
      submit={text('second.continue')}
      onSubmit={() => beginAtProvider(name, 'link', hasPassword ? { password } : {})}
      onClose={onClose}
      isDisabled={hasPassword && password === ''}
    >
      <p>{text(hasPassword ? 'identities.proof' : 'identities.proofAtProvider', { provider: label })}</p>
      {hasPassword && <PasswordField label={text('password.old')} value={password} onChange={setPassword} />}
    </FormDialog>
  );
}

/** Asks for the password, and for the name and password of a user of a directory, and links the two. */
function LinkDirectoryDialog({ provider: { name, label }, onClose }: Omit<LinkDialogProps, 'hasPassword'>) {
  const [password, setPassword] = useState('');
  const [username, setUsername] = useState('');
  const [directoryPassword, setDirectoryPassword] = useState('');
  const link = async () => {
    await linkDirectory(name, {
      password,
      directory: { username: username.trim(), password: directoryPassword },
    });
    await refresh();
    notify({ kind: 'done', message: text('identities.linked', { provider: label }) });
  };
  return (
    <FormDialog
      title={text('identities.linkWith', { provider: label })}
      submit={text('identities.link')}
      onSubmit={link}
      onClose={onClose}
      isDisabled={password === '' || username.trim() === '' || directoryPassword === ''}
    >
      <p>{text('identities.proofAtDirectory', { provider: label })}</p>
      <PasswordField label={text('password.old')} value={password} onChange={setPassword} />
      <TextField
        label={text('identities.directoryUsername', { provider: label })}
        value={username}
        onChange={setUsername}
        autoComplete="off"
        isRequired
      />
      <PasswordField
        label={text('identities.directoryPassword', { provider: label })}
        value={directoryPassword}
        onChange={setDirectoryPassword}
      />
    </FormDialog>
  );
}

const isDirectory = ({ kind }: LinkableProvider): boolean => kind === 'ldap';

/** Shows the identity providers' accounts with which the user can sign in, and lets the user link others. */
export function LinkedAccounts(signIn: OwnSignIn) {
  const { identities, linkableProviders } = signIn;
  const [linked, setLinked] = useState<LinkableProvider>();
  const hasPassword = usesPassword(signIn);
  // A user without a password cannot prove both accounts on this page. An administrator can link them.
  const others = linkableProviders.filter((provider) => hasPassword || !isDirectory(provider));
  if (identities.length === 0 && others.length === 0) return null;
  return (
    <section className="card">
      <div className="card-head">
        <h2>{text('identities.title')}</h2>
        <div className="actions">
          {others.map((provider) => (
            <Button key={provider.name} icon={LinkIcon} onPress={() => setLinked(provider)}>
              {text('identities.linkWith', { provider: provider.label })}
            </Button>
          ))}
        </div>
      </div>
      <Identities identities={identities} />
      {linked && isDirectory(linked) && (
        <LinkDirectoryDialog provider={linked} onClose={() => setLinked(undefined)} />
      )}
      {linked && !isDirectory(linked) && (
        <LinkDialog provider={linked} hasPassword={hasPassword} onClose={() => setLinked(undefined)} />
      )}
    </section>
  );
}
