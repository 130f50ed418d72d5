import { type FormEvent, useContext, useState } from 'react';
import { Form } from 'react-aria-components';
import { signIn } from '../../app/session.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/fields.tsx';
import { SignedInContext } from './description.ts';

/** A form that starts a session. The console uses the same session. */
export function SignIn() {
  const { setSignedIn } = useContext(SignedInContext);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await signIn(username, password).catch((error: Error) => error.message);
    if (answer === 'done') setSignedIn(true);
    else setFault(answer === 'wrong' ? 'Incorrect username or password.' : answer);
  };
  return (
    <Form onSubmit={(event) => void submit(event)} className="form" validationBehavior="aria">
      <p>Sign in to send requests to this server.</p>
      {fault && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      <TextField
        label="Username"
        value={username}
        onChange={setUsername}
        autoComplete="username"
        isRequired
      />
      <TextField
        label="Password"
        type="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        isRequired
      />
      <Button type="submit" kind="main" isDisabled={username === ''}>
        Sign in
      </Button>
    </Form>
  );
}
