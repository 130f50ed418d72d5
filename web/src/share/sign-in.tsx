import { type FormEvent, type ReactNode, useState } from 'react';
import { Form } from 'react-aria-components';
import { Brand } from '../app/brand.tsx';
import { Button } from '../parts/button.tsx';
import { PasswordField, TextField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import { post } from './client.ts';

interface CardProps {
  readonly title: string;
  readonly hint: string;
  readonly submit: string;
  readonly onSubmit: () => Promise<unknown>;
  readonly children: ReactNode;
}

function Card({ title, hint, submit, onSubmit, children }: CardProps) {
  const [fault, setFault] = useState('');
  const [isBusy, setBusy] = useState(false);
  const run = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFault('');
    await onSubmit().catch((error: Error) => setFault(error.message));
    setBusy(false);
  };
  return (
    <div className="sign-in">
      <main className="sign-in-card">
        <p className="brand">
          <Brand />
        </p>
        <h1>{title}</h1>
        <p>{hint}</p>
        <Form onSubmit={(event) => void run(event)} className="form" validationBehavior="aria">
          {fault && (
            <p className="fault" role="alert">
              {fault}
            </p>
          )}
          {children}
          <Button type="submit" kind="main" isDisabled={isBusy}>
            {submit}
          </Button>
        </Form>
      </main>
    </div>
  );
}

/** A form that asks for the password of a sharing link. */
export function PasswordForm({
  onPassword,
}: {
  readonly onPassword: (password: string) => Promise<unknown>;
}) {
  const [password, setPassword] = useState('');
  return (
    <Card
      title={text('share.locked')}
      hint={text('share.lockedHint')}
      submit={text('share.open')}
      onSubmit={() => onPassword(password)}
    >
      <PasswordField label={text('signIn.password')} value={password} onChange={setPassword} autoFocus />
    </Card>
  );
}

/** A form that emails a verification code to a guest, and then signs the guest in with the code. */
export function SignInByMail({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const [email, setEmail] = useState('');
  const [code, setCode] = useState('');
  const [isSent, setSent] = useState(false);
  if (!isSent)
    return (
      <Card
        title={text('share.signIn')}
        hint={text('share.signInHint')}
        submit={text('share.sendCode')}
        onSubmit={async () => {
          await post('code', { email });
          setSent(true);
        }}
      >
        <TextField
          label={text('share.email')}
          type="email"
          value={email}
          onChange={setEmail}
          autoComplete="email"
          autoFocus
          isRequired
        />
      </Card>
    );
  return (
    <Card
      title={text('share.enterCode')}
      hint={text('share.codeHint', { email })}
      submit={text('signIn.submit')}
      onSubmit={async () => {
        await post('session', { email, code });
        onSignedIn();
      }}
    >
      <TextField
        label={text('share.code')}
        value={code}
        onChange={setCode}
        autoComplete="one-time-code"
        inputMode="numeric"
        autoFocus
        isRequired
      />
    </Card>
  );
}
