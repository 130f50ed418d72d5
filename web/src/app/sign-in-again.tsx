import { useEffect, useRef, useState } from 'react';
import { onSignedOut } from '../graphql/client.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { PasswordField, TextField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import { signIn } from './session.ts';

interface AgainProps {
  readonly username: string;
  /** Goes on to the page where anybody signs in. */
  readonly onLeave: () => void;
}

type Answer = (isSignedIn: boolean) => void;

/** Asks for the password over what is shown when the session has ended: dialogs and forms stay as they are. */
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
  return <Asked username={username} onSignedIn={() => finish(true)} onLeave={leave} />;
}

interface AskedProps extends AgainProps {
  readonly onSignedIn: () => void;
}

function Asked({ username, onSignedIn, onLeave }: AskedProps) {
  const [password, setPassword] = useState('');
  // Read by the submission that began before it was set.
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
