import { z } from 'zod';
import { Conflict, Invalid } from '../../errors.ts';
import { fillMailTemplate } from '../../model/mail/templates.ts';
import type { Scope } from '../../scope.ts';
import { queueMails } from './queue-mail.ts';

const mailAddress = z.email();

/**
 * Sends an email to an address in order to test the settings. It takes the same path as every other email.
 * @returns the id of the email, whose status shows whether the mail server has accepted it
 * @throws Conflict if the server sends no emails; Invalid for an invalid address; TooManyRequests
 */
export async function sendTestMail(scope: Scope, to: string): Promise<string> {
  const { config } = scope.services;
  if (config.SMTP_URL === undefined)
    throw new Conflict('SMTP_URL is not set, so this server does not send emails.');
  if (!mailAddress.safeParse(to).success)
    throw new Invalid(`to: "${to.slice(0, 80)}" is not an email address.`);
  const values = { server: config.PUBLIC_URL ?? 'Quire', user: scope.user.id };
  const [id] = await queueMails(scope, [
    { to: [to], ...fillMailTemplate('test', scope.options.language, values) },
  ]);
  if (id === undefined) throw new Error('The test email was not stored.');
  return id;
}
