import { Send } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components';
import { send, useAnswer } from '../graphql/client.ts';
import {
  type DiagnosesQuery,
  diagnoses,
  mailSettings,
  sendTestMail,
  testMails,
} from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { attempt } from '../parts/notices.tsx';
import { text } from '../texts/text.ts';
import { TestResult } from './setup-test.tsx';

/** Shows whether the mail server has accepted the test email. The server tries again for a day and a half. */
function TestMailState({ id, to }: { readonly id: string; readonly to: string }) {
  const { data } = useAnswer(
    testMails,
    {},
    {
      refetchInterval: ({ state }) =>
        state.data?.mails.entries.find((mail) => mail.id === id)?.status === 'sent' ? false : 1_000,
    },
  );
  const mail = data?.mails.entries.find((each) => each.id === id);
  if (mail?.status === 'sent')
    return (
      <p role="status" className="good">
        {text('setup.mail.sent', { to })}
      </p>
    );
  return (
    <p role="status" className={mail?.error ? 'bad long-text' : 'hint'}>
      {mail?.error ? text('setup.mail.failed', { error: mail.error }) : text('setup.mail.sending')}
    </p>
  );
}

/** A form that sends a test email, or what to set if the server sends none. */
export function SetupMail() {
  const { data } = useAnswer(mailSettings, {});
  const [to, setTo] = useState('');
  const [sent, setSent] = useState<{ readonly id: string; readonly to: string }>();
  const [result, setResult] = useState<DiagnosesQuery['diagnoses']>();
  if (!data) return null;
  const { sender } = data.mailSettings;
  if (sender === null) return <p className="hint">{text('setup.mail.none')}</p>;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(undefined);
    void attempt(async () => {
      const found = (await send(diagnoses, { checks: ['mail'] })).diagnoses;
      setResult(found);
      // If the mail server cannot be used, a test email would only wait.
      if (found.some(({ findings }) => findings.some(({ level }) => level === 'fault'))) return;
      const { sendTestMail: id } = await send(sendTestMail, { to: to.trim() });
      setSent({ id, to: to.trim() });
    });
  };
  return (
    <>
      <p className="hint">{text('setup.mail.sender', { from: sender })}</p>
      <Form onSubmit={submit} className="setup-form">
        <TextField label={text('setup.mail.to')} type="email" value={to} onChange={setTo} />
        <Button type="submit" icon={Send} isDisabled={to.trim() === ''}>
          {text('setup.mail.test')}
        </Button>
      </Form>
      {result?.some(({ findings }) => findings.length > 0) && <TestResult diagnoses={result} />}
      {sent && <TestMailState {...sent} />}
    </>
  );
}
