import { useEffect, useRef, useState } from 'react';
import { CodeField } from '../account/authenticator.tsx';
import { onSignedOut } from '../graphql/client.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { PasswordField, TextField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import { sendCode, signIn, signInOptions } from './session.ts';
import { ProviderLinks } from './sign-in.tsx';

interface AgainProps {
  readonly username: string;
  /** Called when the user chooses to sign out instead. The sign-in page is then shown. */
  readonly onLeave: () => void;
}

type Answer = (isSignedIn: boolean) => void;

/**
 * A dialog that asks for the password when the session has expired. The page behind it stays open, including the
 * contents of dialogs and forms.
 */
export function SignInAgain({ username, onLeave }: AgainProps) {
  const [answer, setAnswer] = useState<Answer>();
  useEffect(() => {
    // Without passwords, this dialog is not used. The sign-in page, which links to the provider, is shown instead.
    if (!signInOptions.passwords) return undefined;
    return onSignedOut(() => new Promise((resolve) => setAnswer(() => resolve)));
  }, []);
  if (!answer) return null;
  const finish = (isSignedIn: boolean) => {
    setAnswer(undefined);
    answer(isSignedIn);
  };
  const leave = () => {
    finish(false);
    onLeave();
  };
  return <PasswordDialog username={username} onSignedIn={() => finish(true)} onLeave={leave} />;
}

interface PasswordDialogProps extends AgainProps {
  readonly onSignedIn: () => void;
}

function PasswordDialog({ username, onSignedIn, onLeave }: PasswordDialogProps) {
  const [password, setPassword] = useState('');
  const [isCodeNeeded, setCodeNeeded] = useState(false);
  const [code, setCode] = useState('');
  // A ref is used because `onClose` belongs to the render in which the form was submitted, but must see the new value.
  const isDone = useRef(false);
  const submit = async () => {
    const answer = await signIn(username, password);
    if (answer === 'code') {
      if (!isCodeNeeded) {
        setCodeNeeded(true);
        throw new Error(text('second.enterCode')); // keeps the dialog open
      }
      await sendCode(code);
    } else if (answer === 'setup') throw new Error(text('second.setUpAtSignIn'));
    else if (answer !== 'done') throw new Error(answer === 'wrong' ? text('signIn.wrong') : answer);
    isDone.current = true;
    onSignedIn();
  };
  return (
    <FormDialog
      title={text('signIn.again')}
      submit={text('signIn.submit')}
      cancel={text('signIn.other')}
      onSubmit={submit}
      onClose={() => isDone.current || onLeave()}
      isDisabled={password === ''}
    >
      <p className="hint">{text('signIn.againHint')}</p>
      <TextField
        label={text('signIn.username')}
        name="username"
        autoComplete="username"
        value={username}
        onChange={() => {}}
        isReadOnly
      />
      <PasswordField
        label={text('signIn.password')}
        name="password"
        value={password}
        onChange={setPassword}
        autoFocus
      />
      <ProviderLinks />
      {isCodeNeeded && <CodeField value={code} onChange={setCode} hint={text('second.codeHint')} />}
    </FormDialog>
  );
}
