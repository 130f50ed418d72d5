import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Mail, MailFile } from '../../generated/prisma/client.ts';

export interface DueMail
  extends Pick<
    Mail,
    'id' | 'to' | 'cc' | 'bcc' | 'replyTo' | 'subject' | 'sealedText' | 'isHtml' | 'attempts'
  > {
  readonly createdAt: Date;
  readonly files: ReadonlyArray<Pick<MailFile, 'name' | 'mimeType' | 'digest'>>;
}

/** Seconds in which a process has to send what it took; then another one sends it. */
const lease = 600;

/** Seconds before each attempt after the first one: a day and a half altogether. */
const delays = [60, 300, 900, 3_600, 10_800, 21_600, 43_200, 43_200] as const;

const take = statement('take-due-mails')`
  WITH due AS (
    SELECT id FROM mail WHERE status = 'pending' AND next_attempt_at <= now()
    ORDER BY next_attempt_at LIMIT $1::int FOR UPDATE SKIP LOCKED
  )
  UPDATE mail m SET attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => ${lease})
  FROM due WHERE m.id = due.id
  RETURNING m.id, m."to", m.cc, m.bcc, m.reply_to AS "replyTo", m.subject, m.sealed_text AS "sealedText",
    m.is_html AS "isHtml", m.attempts, m.created_at AS "createdAt",
    (
      SELECT coalesce(jsonb_agg(jsonb_build_object('name', f.name, 'mimeType', f.mime_type, 'digest', f.digest)
        ORDER BY f.index), '[]')
      FROM mail_file f WHERE f.mail_id = m.id
    ) AS files`;

type Db = Pick<Client, 'query'>;

/** Takes mails that are due, each by one process at a time. */
export const takeDueMails = (db: Db, count: number): Promise<DueMail[]> => db.query<DueMail>(take, [count]);

const sent = statement('mail-is-sent')`
  WITH freed AS (DELETE FROM mail_file WHERE mail_id = $1)
  UPDATE mail SET status = 'sent', sent_at = now(), sealed_text = NULL, error = NULL WHERE id = $1`;

export const markSent = async (db: Db, id: string): Promise<void> => void (await db.query(sent, [id]));

const failed = statement('mail-is-not-sent')`
  UPDATE mail SET error = $2, status = CASE WHEN $3::int IS NULL THEN 'failed' ELSE 'pending' END,
    next_attempt_at = now() + make_interval(secs => coalesce($3::int, 0))
  WHERE id = $1`;

/** @param isFinal whether another attempt would fail as well. */
export async function markNotSent(
  db: Db,
  { id, attempts }: Pick<DueMail, 'id' | 'attempts'>,
  { error, isFinal }: { readonly error: string; readonly isFinal: boolean },
): Promise<void> {
  const delay = isFinal ? null : (delays[attempts - 1] ?? null);
  await db.query(failed, [id, error.replaceAll('\0', '').slice(0, 500), delay]);
}

const released = statement('mails-are-released')`
  UPDATE mail SET attempts = attempts - 1, next_attempt_at = now() WHERE id = ANY($1::uuid[])`;

/** Mails that were taken and not tried: the server stops. */
export const releaseMails = async (db: Db, ids: readonly string[]): Promise<void> =>
  void (await db.query(released, [ids]));
