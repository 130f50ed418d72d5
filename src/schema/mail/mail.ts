import { among } from '../../graphql/among.ts';
import { builder } from '../../graphql/builder.ts';
import { fixedOrderPage, fixedOrderPageArguments, implementPage, pageCost } from '../../graphql/page.ts';
import type { PageShape } from '../../loaders/lists/page.ts';
import { type MailRow, mailStatuses } from '../../loaders/mail/mails.ts';
import { requireAdministrator } from '../../security/principal.ts';
import { openMailText } from '../../store/mail/mail-text.ts';

const Mail = builder.objectRef<MailRow>('Mail');
Mail.implement({
  description: 'A mail that this server sends.',
  fields: (t) => ({
    id: t.exposeID('id'),
    status: t.exposeString('status', {
      description: 'pending, sent, failed, or kept if the server does not send mails.',
    }),
    createdBy: t.exposeString('createdBy', {
      description: 'The user whose action caused the mail; empty for mails of the server itself.',
    }),
    createdAt: t.string({ resolve: ({ createdAt }) => createdAt.toISOString() }),
    to: t.exposeStringList('to'),
    cc: t.exposeStringList('cc'),
    bcc: t.exposeStringList('bcc'),
    replyTo: t.exposeStringList('replyTo'),
    subject: t.exposeString('subject'),
    text: t.string({
      nullable: true,
      description: 'The text; null after the mail was sent.',
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
implementPage(Mails, Mail, 'A page of mails.');

builder.queryField('mails', (t) =>
  t.field({
    type: Mails,
    description: 'Mails of all users, the newest first; for administrators.',
    args: {
      ...fixedOrderPageArguments,
      status: t.arg.stringList({ description: 'pending, sent, failed or kept; any when absent.' }),
    },
    complexity: pageCost,
    resolve: (_, { status, ...page }, { load, user }) => {
      requireAdministrator(user, 'see the mails of all users');
      return fixedOrderPage(page, (request) =>
        load.mails({ status: among('status', mailStatuses, status) }, request),
      );
    },
  }),
);
