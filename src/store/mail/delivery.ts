import { modelColumns, typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Mail, MailFile } from '../../generated/prisma/client.ts';

/** An email that is due to be sent. */
export interface DueMail
  extends Pick<Mail, 'id' | 'to' | 'cc' | 'bcc' | 'replyTo' | 'subject' | 'sealedText' | 'isHtml'> {
  readonly createdAt: Date;
  readonly files: ReadonlyArray<Pick<MailFile, 'name' | 'mimeType' | 'digest'>>;
}

// SQL condition that is true if the email is about a document that no longer exists.
const isAboutNone = `m.document_id IS NOT NULL
  AND NOT EXISTS (SELECT FROM document d WHERE d.repository = m.repository AND d.id = m.document_id)`;

const find = statement('unsent-mail', {
  ...modelColumns('Mail', 'id', 'to', 'cc', 'bcc', 'replyTo', 'subject', 'sealedText', 'isHtml', 'createdAt'),
  files: typed<ReadonlyArray<Pick<MailFile, 'name' | 'mimeType' | 'digest'>>>('jsonb'),
})`
  WITH gone AS (DELETE FROM mail m WHERE m.id = $1 AND m.status IN ('pending', 'failed') AND ${isAboutNone})
  SELECT m.id, m."to", m.cc, m.bcc, m.reply_to AS "replyTo", m.subject, m.sealed_text AS "sealedText",
    m.is_html AS "isHtml", m.created_at AS "createdAt",
    (
      SELECT coalesce(jsonb_agg(jsonb_build_object('name', f.name, 'mimeType', f.mime_type, 'digest', f.digest)
        ORDER BY f.index), '[]')
      FROM mail_file f WHERE f.mail_id = m.id
    ) AS files
  FROM mail m WHERE m.id = $1 AND m.status IN ('pending', 'failed') AND NOT (${isAboutNone})`;

type Db = Pick<Client, 'query'>;

/**
 * Returns an email to send; undefined if it was sent or withdrawn. An email about a document that no longer exists is
 * deleted.
 */
export const findUnsentMail = async (db: Db, id: string): Promise<DueMail | undefined> =>
  (await db.query(find, [id]))[0];

const sent = statement('mail-is-sent')`
  WITH freed AS (DELETE FROM mail_file WHERE mail_id = $1)
  UPDATE mail SET status = 'sent', sent_at = now(), sealed_text = NULL, error = NULL, attempts = attempts + 1
  WHERE id = $1 AND status <> 'sent'`;

/** Marks an email as sent, and removes its text and files. */
export const markSent = async (db: Db, id: string): Promise<void> => void (await db.query(sent, [id]));

type Writing = Pick<Client, 'prisma'>;

/** Stores the error from an attempt to send an email. */
export async function markNotSent({ prisma }: Writing, id: string, error: string): Promise<void> {
  const data = { error: error.replaceAll('\0', '').slice(0, 500), attempts: { increment: 1 } };
  await prisma.mail.updateMany({ where: { id, status: { not: 'sent' } }, data });
}

/** Marks an email as failed after the last attempt. */
export const markFailed = async ({ prisma }: Writing, id: string): Promise<void> =>
  void (await prisma.mail.updateMany({ where: { id, status: 'pending' }, data: { status: 'failed' } }));
