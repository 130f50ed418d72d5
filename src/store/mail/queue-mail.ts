import { randomUUID } from 'node:crypto';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import { statement } from '../../db/statement.ts';
import { TooManyRequests } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { asTimestamp } from '../../model/values/timestamp.ts';
import type { Scope, Using } from '../../scope.ts';
import { enqueueJobs } from '../queue/enqueue-jobs.ts';
import { lockMails } from '../row-locks/advisory-locks.ts';
import { sealMailText } from './mail-text.ts';

/** A file in the blob store that is attached to an email. */
interface Attachment {
  readonly name: string;
  readonly mimeType: string;
  readonly digest: string;
}

/** An email to send. The caller has checked the addresses and the subject, because they become headers. */
export interface MailDraft {
  readonly to: readonly string[];
  readonly cc?: readonly string[];
  readonly bcc?: readonly string[];
  readonly replyTo?: readonly string[];
  readonly subject: string;
  readonly text: string;
  readonly isHtml?: boolean;
  readonly files?: readonly Attachment[];
  /** The time in ISO 8601 before which the email is not sent; by default, it is sent immediately. */
  readonly notBefore?: string | null;
  /** The document that the email is about. If it is deleted, the email is not sent. */
  readonly document?: Pick<DocumentRow, 'repository' | 'id'>;
  /** The key of the ACE that the email is about, for `withdrawMails`. */
  readonly ace?: string;
}

/** The kind of job that sends emails. */
export const mailJob = 'send-mail';

/** The number of seconds in an hour. */
const hour = 3600;

// Selects the number of recipients to whom a user has sent emails within the last hour, and the number of seconds until
// the oldest of these emails stops counting.
const recent = statement('recent-mails', { count: 'int4', endsIn: 'float8' })`
  SELECT coalesce(sum(cardinality("to") + cardinality(cc) + cardinality(bcc)), 0)::int AS count,
    coalesce(extract(epoch FROM min(created_at) + make_interval(secs => ${hour}) - now()), ${hour})::float8 AS "endsIn"
  FROM mail WHERE created_by = $1 AND created_at > now() - make_interval(secs => ${hour})`;

// Inserts emails and their attachments in one statement. `input` reads the emails from one JSON parameter, `written`
// inserts them, and the last part inserts a row for each attachment. The foreign key of the attachments is checked at
// the end of the statement.
const insert = statement('queue-mails')`
  WITH input AS (
    SELECT g.* FROM jsonb_to_recordset($3::jsonb) AS g (
      id uuid, "to" text[], cc text[], bcc text[], reply_to text[], subject text, sealed_text text, is_html boolean, files jsonb,
      not_before timestamptz, ace text, repository text, document_id uuid
    )
  ), written AS (
    INSERT INTO mail
      (id, created_by, status, "to", cc, bcc, reply_to, subject, sealed_text, is_html, not_before, ace,
        repository, document_id)
    SELECT id, $1, $2, "to", cc, bcc, reply_to, subject, sealed_text, is_html, greatest(not_before, now()), ace,
      repository, document_id
    FROM input
  )
  INSERT INTO mail_file (mail_id, index, name, mime_type, digest)
  SELECT input.id, f.index, f.file ->> 'name', f.file ->> 'mimeType', f.file ->> 'digest'
  FROM input CROSS JOIN jsonb_array_elements(input.files) WITH ORDINALITY AS f (file, index)`;

const countOf = ({ to, cc = [], bcc = [] }: MailDraft): number => to.length + cc.length + bcc.length;

/** @throws TooManyRequests if the user exceeds MAIL_LIMIT recipients within an hour */
async function requireWithinLimit(
  { db, user, services: { config } }: Scope,
  drafts: readonly MailDraft[],
): Promise<void> {
  const added = drafts.reduce((sum, draft) => sum + countOf(draft), 0);
  await lockMails(db, user.id);
  const [{ count, endsIn } = { count: 0, endsIn: hour }] = await db.query(recent, [user.id]);
  if (count + added <= config.MAIL_LIMIT) return;
  const message = `${user.id} can send emails to ${config.MAIL_LIMIT} recipients per hour (MAIL_LIMIT). ${count} of these have been used, and this request needs ${added} more.`;
  throw new TooManyRequests(message, Math.max(1, Math.ceil(endsIn)));
}

/**
 * Stores emails, which are sent once the transaction is committed.
 * @returns the ids of the emails
 * @throws TooManyRequests
 */
export async function queueMails(scope: Scope, drafts: readonly MailDraft[]): Promise<string[]> {
  if (drafts.length === 0) return [];
  await requireWithinLimit(scope, drafts);
  return writeMails(scope, scope.user.id, drafts);
}

/** Stores an email from the server itself. It does not count towards any user's MAIL_LIMIT. */
export const queueOwnMail = (scope: MailScope, draft: MailDraft): Promise<unknown> =>
  writeMails(scope, '', [draft]);

/** The parts of a scope that storing emails needs. */
type MailScope = Pick<Scope, 'db'> & Using<'config' | 'secrets'>;

async function writeMails(
  scope: MailScope,
  createdBy: string,
  drafts: readonly MailDraft[],
): Promise<string[]> {
  const rows = drafts.map(
    ({
      to,
      cc = [],
      bcc = [],
      replyTo = [],
      subject,
      text,
      isHtml = false,
      files = [],
      notBefore = null,
      document,
      ace = null,
    }) => ({
      id: randomUUID(),
      to,
      cc,
      bcc,
      reply_to: replyTo,
      subject,
      sealed_text: sealMailText(scope.services.secrets, text),
      is_html: isHtml,
      files,
      not_before: notBefore && asTimestamp(notBefore),
      ace,
      repository: document?.repository,
      document_id: document?.id,
    }),
  );
  const isSent = scope.services.config.SMTP_URL !== undefined;
  const status = isSent ? 'pending' : 'kept';
  await scope.db.query(insert, [createdBy, status, JSON.stringify(rows)]);
  const ids = rows.map(({ id }) => id);
  if (!isSent) return ids;
  const jobs = rows.map(({ id, not_before: runAt }) => ({ kind: mailJob, payload: { mail: id }, runAt }));
  await enqueueJobs(scope, jobs);
  return ids;
}

const withdraw = statement('withdraw-mails')`
  DELETE FROM mail WHERE ace = ANY($1::text[]) AND status <> 'sent' AND not_before > now()`;

/** Deletes pending emails about ACEs that are not effective yet. */
export async function withdrawMails({ db }: Pick<Scope, 'db'>, aces: readonly string[]): Promise<void> {
  if (aces.length > 0) await db.query(withdraw, [aces]);
}

/** Deletes emails that were due more than the given number of days ago, unless they are still to be sent. */
export const deleteOldMails = oldRowsDeletion({
  table: 'mail',
  key: ['id'],
  since: 'not_before',
  unless: "status = 'pending'",
});
