import { useEffect, useRef, useState } from 'react';
import { onSignedOut } from '../graphql/client.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { PasswordField, TextField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import { signIn } from './session.ts';

interface AgainProps {
  readonly username: string;
  /** Signs out, which shows the sign-in page. */
  readonly onLeave: () => void;
}

type Answer = (isSignedIn: boolean) => void;

/**
 * Asks for the password in a dialog over the page when the session has ended. Open dialogs and forms keep their
 * contents.
 */
export function SignInAgain({ username, onLeave }: AgainProps) {
  const [answer, setAnswer] = useState<Answer>();
  useEffect(() => onSignedOut(() => new Promise((resolve) => setAnswer(() => resolve))), []);
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
  // A ref, because `onClose` of the render in which the submission began must see the new value.
  const isDone = useRef(false);
  const submit = async () => {
    const answer = await signIn(username, password);
    if (answer !== 'done') throw new Error(answer === 'wrong' ? text('signIn.wrong') : answer);
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
    </FormDialog>
  );
}
