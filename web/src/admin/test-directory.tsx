import { useRef, useState } from 'react';
import { type TestedUser, testDirectory } from '../app/session.ts';
import { Dialog, FormDialog } from '../parts/dialog.tsx';
import { PasswordField, TextField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';

const shown = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(', ') : String(value ?? '–');

interface FactsProps {
  readonly title: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

const Facts = ({ title, facts }: FactsProps) => (
  <section>
    <h3>{title}</h3>
    <dl className="properties">
      {Object.entries(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className="long-text">{shown(value)}</dd>
        </div>
      ))}
    </dl>
  </section>
);

interface TestDirectoryProps {
  readonly name: string;
  readonly onClose: () => void;
}

/** Asks for the name and the password of a user of a directory, and shows what the directory says about the user. */
export function TestDirectory({ name, onClose }: TestDirectoryProps) {
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const [tested, setTested] = useState<TestedUser>();
  // The form closes itself after it was submitted, but the result is shown first.
  const isDone = useRef(false);
  const test = async () => {
    setTested(await testDirectory(name, username.trim(), password));
    isDone.current = true;
  };
  if (tested) {
    const { id, properties, groups } = tested.mapped;
    const mapped = { [text('providers.newId')]: id, ...properties, [text('admin.groups')]: groups };
    return (
      <Dialog title={text('providers.test')} onClose={onClose}>
        <p>{text('providers.unchanged')}</p>
        <Facts title={text('providers.mapped')} facts={mapped} />
        <Facts title={text('providers.claims')} facts={tested.claims} />
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={text('providers.test')}
      submit={text('providers.test')}
      onSubmit={test}
      onClose={() => isDone.current || onClose()}
      isDisabled={username.trim() === '' || password === ''}
    >
      <TextField
        label={text('signIn.username')}
        value={username}
        onChange={setUsername}
        autoComplete="off"
        isRequired
      />
      <PasswordField label={text('signIn.password')} value={password} onChange={setPassword} />
    </FormDialog>
  );
}
