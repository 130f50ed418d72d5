import { modelColumns, type RowWith } from '../../db/columns.ts';
import { descending } from '../../query/order-sql.ts';
import { defineList } from '../lists/list-loader.ts';

export const mailStatuses = ['pending', 'sent', 'failed', 'kept'];

const mailRow = {
  ...modelColumns(
    'Mail',
    'id',
    'createdBy',
    'createdAt',
    'to',
    'cc',
    'bcc',
    'replyTo',
    'subject',
    'sealedText',
  ),
  ...modelColumns('Mail', 'isHtml', 'status', 'attempts', 'sentAt', 'error'),
  files: 'text[]',
} as const;

export type MailRow = RowWith<typeof mailRow>;

interface MailFilter {
  readonly status: readonly string[];
}

/** Reads pages of the emails in the outbox, newest first. */
export const mailPages = defineList<MailFilter, MailRow>({
  name: 'mails',
  columns: `m.id, m.created_by AS "createdBy", m.created_at AS "createdAt", m."to", m.cc, m.bcc,
    m.reply_to AS "replyTo", m.subject, m.sealed_text AS "sealedText", m.is_html AS "isHtml", m.status, m.attempts,
    m.sent_at AS "sentAt", m.error, ARRAY(SELECT name FROM mail_file f WHERE f.mail_id = m.id ORDER BY index) AS files`,
  row: mailRow,
  from: 'mail m',
  where: '$1::text IS NOT NULL',
  order: [descending('m.created_at', 'timestamptz')],
  tieBreak: descending('m.id', 'uuid'),
  filters: { status: (statuses) => `m.status = ANY(${statuses}::text[])` },
});
