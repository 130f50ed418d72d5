/** @group slow */
import { afterAll, describe, expect, test } from '@jest/globals';
import { sendTestMail } from '../../web/src/graphql/operations.ts';
import { chromiumPath, useBrowser } from '../support/browser.ts';
import { runJobs } from '../support/jobs.ts';
import { startMailServer } from '../support/mail-server.ts';
import { askGraphql } from '../support/requests.ts';
import { useServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';

const mail = await startMailServer();
afterAll(async () => mail[Symbol.asyncDispose]());

const settings = { SMTP_URL: mail.url, MAIL_FROM: 'quire@example.org', PUBLIC_URL: 'http://localhost:8080' };

describe('sendTestMail', () => {
  const server = useServer(settings);

  test('rejects other users and what is not an address', async () => {
    await createUser(server, 'ann');
    const send = (to: string, request = server.request) => askGraphql(request, sendTestMail.text, { to });
    await expect(send('ann@example.org', as(server, 'ann'))).rejects.toThrow('Only administrators can');
    await expect(send('ann')).rejects.toThrow('to: "ann" is not an email address.');
    await expect(send('a@example.org\r\nBcc: b@example.org')).rejects.toThrow('is not an email address');
    expect(await server.database.prisma.mail.count()).toBe(0);
  });
});

(chromiumPath ? describe : describe.skip)('The set-up of a server with email', () => {
  const server = useServer(settings);
  const visit = useBrowser(server);

  test('sends a test email and says that the mail server has accepted it', async () => {
    await runJobs(server);
    const { page, signIn, open, expectGood } = await visit();
    await signIn();
    await open('/home');
    const setup = page.getByRole('region', { name: 'Set up this server' });
    await setup.getByText('Emails are sent from quire@example.org.').waitFor();
    await setup.getByLabel('Email address').fill('ada@example.org');
    await setup.getByRole('button', { name: 'Send a test email' }).click();
    await setup.getByText('The mail server has accepted the email to ada@example.org.').waitFor();
    expect(mail.received.filter(({ subject }) => subject === 'Test email')).toEqual([
      {
        to: ['ada@example.org'],
        subject: 'Test email',
        text: expect.stringContaining('sent this email from http://localhost:8080'),
      },
    ]);
    await expectGood('the sent email');
  });
});

(chromiumPath ? describe : describe.skip)('The set-up of a server without email', () => {
  const server = useServer();
  const visit = useBrowser(server);

  test('says what to set for email and for sign-on', async () => {
    const { page, signIn, open, expectGood } = await visit({
      viewport: { width: 400, height: 800 },
      colorScheme: 'dark',
    });
    await signIn();
    await open('/home');
    const setup = page.getByRole('region', { name: 'Set up this server' });
    await setup.getByText('SMTP_URL is not set, so no email is sent.').waitFor();
    await setup.getByText('No provider is configured').waitFor();
    await setup.getByText('LDAP and Active Directory').click();
    await setup.getByText('"kind": "ldap"').waitFor();
    await setup.getByText('SAML', { exact: true }).click();
    await setup.getByText('The server does not speak SAML.').waitFor();
    await expectGood('what to set');
    await expect(askGraphql(server.request, sendTestMail.text, { to: 'ada@example.org' })).rejects.toThrow(
      'SMTP_URL is not set, so this server does not send emails.',
    );
  });
});

(chromiumPath ? describe : describe.skip)(
  'The set-up of a server whose mail server cannot be reached',
  () => {
    const server = useServer({ SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'quire@example.org' });
    const visit = useBrowser(server);

    test('says why instead of sending an email that would wait', async () => {
      const { page, signIn, open, expectGood } = await visit();
      await signIn();
      await open('/home');
      const setup = page.getByRole('region', { name: 'Set up this server' });
      await setup.getByLabel('Email address').fill('ada@example.org');
      await setup.getByRole('button', { name: 'Send a test email' }).click();
      await setup.getByText('The mail server cannot be used').waitFor();
      expect(await server.database.prisma.mail.count({ where: { subject: 'Test email' } })).toBe(0);
      await expectGood('the fault');
    });
  },
);
