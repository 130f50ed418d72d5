import { configSchema, isLocal } from '../../config.ts';
import { checkMailServer } from '../../mail/mail-transport.ts';
import { foundIf, type HealthCheck } from '../check.ts';

const defaultSender = configSchema.shape.MAIL_FROM.parse(undefined);

/** Connects to the mail server, without sending anything. */
export const mailCheck: HealthCheck = {
  name: 'mail',
  run: async ({ config }) => {
    const { SMTP_URL, MAIL_FROM } = config;
    if (SMTP_URL === undefined)
      return foundIf(
        !isLocal(config) && {
          level: 'advice',
          problem: 'SMTP_URL is not set.',
          reason: 'Users receive no invitations, notifications or links for new passwords.',
          remedy: 'Set SMTP_URL to a mail server. Until then, administrators can read the emails.',
        },
      );
    const fault = await checkMailServer(SMTP_URL).then(
      () => undefined,
      (error: Error) => error.message,
    );
    return foundIf(
      fault !== undefined && {
        level: 'fault',
        problem: `The mail server cannot be used: ${fault}`,
        reason: 'Emails are not sent. Each is retried for a day and a half, and then set aside.',
        remedy: 'Correct SMTP_URL, or ask the administrator of the mail server.',
      },
      MAIL_FROM === defaultSender && {
        level: 'advice',
        problem: `MAIL_FROM is ${defaultSender}, the default.`,
        reason: 'Mail servers reject emails from an address that does not exist.',
        remedy: 'Set MAIL_FROM to an address in your domain.',
      },
    );
  },
};
