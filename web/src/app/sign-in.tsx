import { type FormEvent, useEffect, useState } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../parts/button.tsx';
import { PasswordField, TextField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import { Brand } from './brand.tsx';
import { LanguageChoice } from './language-choice.tsx';
import { CodeStep, SetUpStep } from './second-step.tsx';
import {
  beganSignedIn,
  canReset,
  providerAddress,
  type SecondStep,
  signIn,
  signInOptions,
} from './session.ts';

interface SignInProps {
  readonly onSignedIn: () => void;
  readonly redraw: () => void;
}

const { passwords, providers } = signInOptions;

/**
 * The identity provider with which users sign in if passwords are disabled and there is no other provider; otherwise
 * undefined.
 */
const onlyProvider = !passwords && providers.length === 1 ? providers[0] : undefined;

/** Links, shown as buttons, to the sign-in pages of the identity providers. */
export const ProviderLinks = () =>
  providers.map(({ name, label, address }) => (
    <a key={name} className={passwords ? 'button plain' : 'button main'} href={providerAddress(address)}>
      {text('signIn.with', { provider: label })}
    </a>
  ));

export function SignIn({ onSignedIn, redraw }: SignInProps) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState('');
  const [step, setStep] = useState<SecondStep>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const answer = await signIn(username, password).catch((error: Error) => error.message);
    setBusy(false);
    if (answer === 'done') return onSignedIn();
    if (answer === 'code' || answer === 'setup') return setStep(answer);
    setFault(answer === 'wrong' ? text('signIn.wrong') : answer);
  };
  useEffect(() => {
    // After signing out, the page does not redirect to the provider, because the provider could sign the user in again
    // at once.
    if (onlyProvider && !beganSignedIn) location.replace(providerAddress(onlyProvider.address));
  }, []);
  return (
    <div className="sign-in">
      <main className="sign-in-card">
        <p className="brand">
          <Brand />
        </p>
        <h1>{text('signIn.title')}</h1>
        {step === 'code' && <CodeStep onSignedIn={onSignedIn} />}
        {step === 'setup' && <SetUpStep onSignedIn={onSignedIn} />}
        {!step && passwords && (
          <Form onSubmit={(event) => void submit(event)} className="form" validationBehavior="aria">
            {fault && (
              <p className="fault" role="alert">
                {fault}
              </p>
            )}
            <TextField
              label={text('signIn.username')}
              name="username"
              value={username}
              onChange={setUsername}
              autoComplete="username"
              autoFocus
              isRequired
            />
            <PasswordField
              label={text('signIn.password')}
              name="password"
              value={password}
              onChange={setPassword}
            />
            <Button type="submit" kind="main" isDisabled={isBusy || username === ''}>
              {text('signIn.submit')}
            </Button>
          </Form>
        )}
        {!step && passwords && canReset && (
          <a className="link" href="password/forgotten">
            {text('signIn.forgotten')}
          </a>
        )}
        {!step && <ProviderLinks />}
        <LanguageChoice onChoose={redraw} />
      </main>
    </div>
  );
}
