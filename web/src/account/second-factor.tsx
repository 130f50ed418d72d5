import { ShieldCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useSession } from '../app/session.ts';
import { refresh, send } from '../graphql/client.ts';
import {
  disableSecondFactor,
  enableSecondFactor,
  type OwnAccessQuery,
  type PrepareSecondFactorMutation,
  prepareSecondFactor,
  renewRecoveryCodes,
} from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { Dialog, FormDialog } from '../parts/dialog.tsx';
import { PasswordField } from '../parts/fields.tsx';
import { attempt } from '../parts/notices.tsx';
import { text } from '../texts/text.ts';
import { Authenticator, CodeField, RecoveryCodes } from './authenticator.tsx';

type Setup = PrepareSecondFactorMutation['prepareSecondFactor'];
type Codes = readonly string[];

interface CodesDialogProps {
  readonly codes: Codes;
  readonly onClose: () => void;
}

const CodesDialog = ({ codes, onClose }: CodesDialogProps) => (
  <Dialog title={text('second.recoveryCodes')} onClose={onClose}>
    <RecoveryCodes codes={codes} />
    <footer className="dialog-foot">
      <Button kind="main" onPress={onClose}>
        {text('close')}
      </Button>
    </footer>
  </Dialog>
);

interface ProofDialogProps {
  readonly title: string;
  readonly isDangerous?: boolean;
  readonly onProof: (proof: { readonly password: string; readonly code: string }) => Promise<unknown>;
  readonly onClose: () => void;
  readonly fields: (code: string, setCode: (code: string) => void) => ReactNode;
}

/** A dialog that asks for the password and a code to confirm a change to the second factor. */
function ProofDialog({ title, isDangerous = false, onProof, onClose, fields }: ProofDialogProps) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  return (
    <FormDialog
      title={title}
      submit={title}
      isDangerous={isDangerous}
      onSubmit={() => onProof({ password, code })}
      onClose={onClose}
      isDisabled={password === '' || code === ''}
    >
      <PasswordField label={text('password.old')} value={password} onChange={setPassword} />
      {fields(code, setCode)}
    </FormDialog>
  );
}

const codeField = (code: string, setCode: (code: string) => void) => (
  <CodeField value={code} onChange={setCode} hint={text('second.codeHint')} />
);

/**
 * Shows whether the user has a second factor, and lets the user turn it on or off. Either change ends all of the user's
 * sessions.
 */
export function SecondFactor({ isOn, isRequired, recoveryCodes }: OwnAccessQuery['secondFactor']) {
  const { signOut } = useSession();
  const [setup, setSetup] = useState<Setup>();
  const [open, setOpen] = useState<'off' | 'codes'>();
  const [made, setMade] = useState<{ readonly codes: Codes; readonly isNew: boolean }>();
  const begin = () =>
    attempt(async () => setSetup((await send(prepareSecondFactor, {})).prepareSecondFactor));
  const close = () => setOpen(undefined);
  return (
    <section className="card">
      <div className="card-head">
        <h2>{text('second.title')}</h2>
        {isOn ? (
          <>
            <Button onPress={() => setOpen('codes')}>{text('second.newCodes')}</Button>
            <Button kind="danger" onPress={() => setOpen('off')}>
              {text('second.turnOff')}
            </Button>
          </>
        ) : (
          <Button icon={ShieldCheck} onPress={() => void begin()}>
            {text('second.setUp')}
          </Button>
        )}
      </div>
      <p className="hint">
        {text(isOn ? 'second.on' : 'second.off', { count: String(recoveryCodes) })}{' '}
        {isRequired && text('second.isRequired')}
      </p>
      {setup && (
        <ProofDialog
          title={text('second.turnOn')}
          onProof={async (proof) => {
            const { enableSecondFactor: codes } = await send(enableSecondFactor, {
              ...proof,
              ticket: setup.ticket,
            });
            setMade({ codes, isNew: true });
          }}
          onClose={() => setSetup(undefined)}
          fields={(code, setCode) => <Authenticator {...setup} code={code} onCode={setCode} />}
        />
      )}
      {open === 'off' && (
        <ProofDialog
          title={text('second.turnOff')}
          isDangerous
          onProof={(proof) => send(disableSecondFactor, proof).then(signOut)}
          onClose={close}
          fields={codeField}
        />
      )}
      {open === 'codes' && (
        <ProofDialog
          title={text('second.newCodes')}
          onProof={async (proof) => {
            const { renewRecoveryCodes: codes } = await send(renewRecoveryCodes, proof);
            setMade({ codes, isNew: false });
          }}
          onClose={close}
          fields={codeField}
        />
      )}
      {made && (
        <CodesDialog
          codes={made.codes}
          onClose={() => {
            setMade(undefined);
            if (made.isNew) signOut();
            else void refresh();
          }}
        />
      )}
    </section>
  );
}
