import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components';
import { Button } from '../parts/button.tsx';
import { PasswordField, TextField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import { LanguageChoice } from './language-choice.tsx';
import { signIn } from './session.ts';

interface SignInProps {
  readonly onSignedIn: () => void;
  readonly redraw: () => void;
}

export function SignIn({ onSignedIn, redraw }: SignInProps) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const answer = await signIn(username, password).catch((error: Error) => error.message);
    setBusy(false);
    if (answer === 'done') return onSignedIn();
    setFault(answer === 'wrong' ? text('signIn.wrong') : answer);
  };
  return (
    <div className="sign-in">
      <main className="sign-in-card">
        <p className="brand">Quire</p>
        <h1>{text('signIn.title')}</h1>
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
        <LanguageChoice onChoose={redraw} />
      </main>
    </div>
  );
}
