import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { Form } from 'react-aria-components';
import { Authenticator, CodeField, RecoveryCodes } from '../account/authenticator.tsx';
import { Button } from '../parts/button.tsx';
import { Loading } from '../parts/states.tsx';
import { text } from '../texts/text.ts';
import { confirmSetup, prepareSetup, type Setup, sendCode } from './session.ts';

interface StepProps {
  readonly onSignedIn: () => void;
}

interface StepFormProps {
  readonly children: ReactNode;
  readonly onSubmit: () => Promise<void>;
}

function StepForm({ children, onSubmit }: StepFormProps) {
  const [fault, setFault] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    await onSubmit().catch((error: Error) => setFault(error.message));
    setBusy(false);
  };
  return (
    <Form onSubmit={(event) => void submit(event)} className="form" validationBehavior="aria">
      {fault && (
        <p className="fault" role="alert">
          {fault}
        </p>
      )}
      {children}
      <Button type="submit" kind="main" isDisabled={isBusy}>
        {text('second.continue')}
      </Button>
    </Form>
  );
}

/** After the password, asks for the code from the authenticator app. */
export function CodeStep({ onSignedIn }: StepProps) {
  const [code, setCode] = useState('');
  return (
    <StepForm onSubmit={() => sendCode(code).then(onSignedIn)}>
      <CodeField value={code} onChange={setCode} hint={text('second.codeHint')} />
    </StepForm>
  );
}

/**
 * Asks members of a group that requires a second factor to set one up after they have entered the password.
 */
export function SetUpStep({ onSignedIn }: StepProps) {
  const [setup, setSetup] = useState<Setup>();
  const [fault, setFault] = useState('');
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[]>();
  useEffect(() => {
    prepareSetup().then(setSetup, (error: Error) => setFault(error.message));
  }, []);
  if (fault)
    return (
      <p className="fault" role="alert">
        {fault}
      </p>
    );
  if (!setup) return <Loading />;
  if (codes)
    return (
      <StepForm onSubmit={async () => onSignedIn()}>
        <RecoveryCodes codes={codes} />
      </StepForm>
    );
  return (
    <StepForm onSubmit={() => confirmSetup(setup.ticket, code).then(setCodes)}>
      <p>{text('second.required')}</p>
      <Authenticator {...setup} code={code} onCode={setCode} />
    </StepForm>
  );
}
