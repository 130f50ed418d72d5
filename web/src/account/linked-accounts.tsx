import { Link as LinkIcon } from 'lucide-react';
import { useState } from 'react';
import { Identities } from '../admin/identities.tsx';
import { beginAtProvider, type ProviderOption, signInOptions } from '../app/session.ts';
import type { SignInFragment } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { PasswordField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';

const { passwords, providers } = signInOptions;

/** Whether the user can sign in to this server with a password, rather than only at identity providers. */
export const usesPassword = ({ hasPassword, identities }: SignInFragment): boolean =>
  passwords &&
  (hasPassword || !identities.some(({ provider }) => providers.some(({ name }) => name === provider)));

interface LinkDialogProps {
  readonly provider: ProviderOption;
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
      {hasPassword && (
        <PasswordField label={text('password.old')} value={password} onChange={setPassword} autoFocus />
      )}
    </FormDialog>
  );
}

/** Shows the identity providers' accounts with which the user can sign in, and lets the user link others. */
export function LinkedAccounts(signIn: SignInFragment) {
  const { identities, isLinkable } = signIn;
  const [linked, setLinked] = useState<ProviderOption>();
  const others = isLinkable
    ? providers.filter(({ name }) => !identities.some(({ provider }) => provider === name))
    : [];
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
      {linked && (
        <LinkDialog
          provider={linked}
          hasPassword={usesPassword(signIn)}
          onClose={() => setLinked(undefined)}
        />
      )}
    </section>
  );
}
