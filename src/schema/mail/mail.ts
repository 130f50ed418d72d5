import type { Config } from '../../config.ts';
import { among } from '../../graphql/among.ts';
import { builder } from '../../graphql/builder.ts';
import { fixedOrderPage, fixedOrderPageArguments, implementPage, pageCost } from '../../graphql/page.ts';
import type { PageShape } from '../../loaders/lists/page.ts';
import { type MailRow, mailStatuses } from '../../loaders/mail/mails.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { openMailText } from '../../store/mail/mail-text.ts';
import { sendTestMail } from '../../store/mail/send-test-mail.ts';

const Mail = builder.objectRef<MailRow>('Mail');
Mail.implement({
  description: 'An email that this server sends.',
  fields: (t) => ({
    id: t.exposeID('id'),
    status: t.exposeString('status', {
      description: 'pending, sent, failed, or kept if the server does not send emails.',
    }),
    createdBy: t.exposeString('createdBy', {
      description:
        'The user whose action triggered the email; empty for emails that the server sends on its own.',
    }),
    createdAt: t.string({ resolve: ({ createdAt }) => createdAt.toISOString() }),
    to: t.exposeStringList('to'),
    cc: t.exposeStringList('cc'),
    bcc: t.exposeStringList('bcc'),
    replyTo: t.exposeStringList('replyTo'),
    subject: t.exposeString('subject'),
    text: t.string({
      nullable: true,
      description: 'The text; null once the email has been sent.',
      resolve: ({ sealedText }, _, { services: { secrets } }) =>
        sealedText === null ? null : openMailText(secrets, sealedText),
    }),
    isHtml: t.exposeBoolean('isHtml', { description: 'Whether the text is HTML.' }),
    files: t.exposeStringList('files', { description: 'Names of the attached files.' }),
    attempts: t.exposeInt('attempts'),
    sentAt: t.string({ nullable: true, resolve: ({ sentAt }) => sentAt?.toISOString() }),
    error: t.exposeString('error', { nullable: true, description: 'Why the last attempt failed.' }),
  }),
});

const Mails = builder.objectRef<PageShape<MailRow>>('Mails');
implementPage(Mails, Mail, 'A page of emails.');

builder.queryField('mails', (t) =>
  t.field({
    type: Mails,
    description: 'The emails of all users, newest first. Only for administrators.',
    args: {
      ...fixedOrderPageArguments,
      status: t.arg.stringList({ description: 'pending, sent, failed or kept; defaults to all.' }),
    },
    complexity: pageCost,
    resolve: (_, { status, ...page }, { load, user }) => {
      requireAdministrator(user, 'see the emails of all users');
      return fixedOrderPage(page, (request) =>
        load.mails({ status: among('status', mailStatuses, status) }, request),
      );
    },
  }),
);

const MailSettings = builder.objectRef<Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>>('MailSettings').implement({
  description: 'How the server sends emails.',
  fields: (t) => ({
    sender: t.string({
      nullable: true,
      description: 'MAIL_FROM; null if the server sends no emails, because SMTP_URL is not set.',
      resolve: ({ SMTP_URL, MAIL_FROM }) => (SMTP_URL === undefined ? null : MAIL_FROM),
    }),
  }),
});

builder.queryField('mailSettings', (t) =>
  t.field({
    type: MailSettings,
    description: 'How the server sends emails. Only for administrators.',
    resolve: (_, __, { services, user }) => {
      requireAdministrator(user, 'see the settings for email');
      return services.config;
    },
  }),
);

builder.mutationField('sendTestMail', (t) =>
  t.id({
    description:
      'Sends an email in order to test the settings, and returns its id. Its status then shows whether the mail server has accepted it. Only for administrators.',
    args: { to: t.arg.string({ required: true, description: 'The email address.' }) },
    resolve: (_, { to }, context) => {
      requireAdministrator(context.user, 'send a test email');
      return sendTestMail(context, to.trim());
    },
  }),
);
