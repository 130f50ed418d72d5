import { modelColumns, nullableColumns, typed } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import { createAccess, readPermissionFor } from '../../loaders/acls/access.ts';
import { endedIn } from '../../loaders/audit/log-poller.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { actorNames } from '../../loaders/workflows/tasks.ts';
import { concern } from '../../model/inbox.ts';
import { languageNamed } from '../../model/labels.ts';
import { isMailAddress } from '../../model/mail/mail-headers.ts';
import { type Change, type NewTask, newsMail } from '../../model/mail/news.ts';
import { digestEvents, notificationEvents, taskEvents } from '../../model/notifications.ts';
import type { Scope } from '../../scope.ts';
import { mailLink } from '../mail/mail-link.ts';
import { queueOwnMail } from '../mail/queue-mail.ts';
import type { LogPart } from './find-notified.ts';

/** The maximum number of log entries that are read for a person; if there are more, the newest ones are read. */
const maxEntries = 1000;

/** The news for a person in a repository. */
export interface News {
  readonly tasks: readonly NewTask[];
  readonly changes: readonly Change[];
  /** Whether older changes were omitted because there are too many. */
  readonly isCut: boolean;
}

type Subject = Pick<DocumentRow, 'repository' | 'id' | 'title' | 'aclId' | 'isVersion'>;

/** The document that an entry is about; null for a task in a workflow without documents. */
type MaybeSubject = { readonly [Name in keyof Subject]: Subject[Name] | null };

const hasSubject = <Row extends MaybeSubject>(row: Row): row is Row & Subject => row.id !== null;

const subjectRow = modelColumns('Document', 'repository', 'id', 'title', 'aclId', 'isVersion');
const subject = `d.repository, d.id, d.title, d.acl_id AS "aclId", d.is_version AS "isVersion"`;

/** SQL condition: the event is later than the user's last choice of how often to get emails. */
const isWanted = (entry: string): string =>
  `${entry}.event_date >= coalesce((SELECT notified_since FROM "user" WHERE id = $5), '-infinity')`;

/** SQL for the entries in a part of the log that were caused by other users, along with their documents. */
const entriesOfOthers = `
  FROM log_entry l JOIN document d ON d.repository = l.repository AND d.id = l.doc_uuid
  WHERE l.repository = $1 AND l.id > $2::bigint AND ${endedIn('l.xmin', '$3', '$4')} AND l.principal_name <> $5
    AND ${isWanted('l')}`;

const followed = statement('followed-changes', {
  ...subjectRow,
  event: typed<Change['event']>('text'),
  by: 'text',
})`
  SELECT ${subject}, coalesce(
      (SELECT min(split_part(c.name, ':', 1)) FROM unnest(l.concerns) AS c (name) WHERE c.name = ANY($8::text[])),
      l.event_id
    ) AS event, l.principal_name AS "by"
  ${entriesOfOthers} AND (l.concerns && $8::text[] OR EXISTS (
    SELECT FROM subscription s JOIN unnest($6::text[], $7::text[]) AS n (notification, event)
      ON n.notification = s.notification
    WHERE s.repository = $1 AND s.user_id = $5 AND n.event = l.event_id
      AND l.event_date >= s.since
      AND (s.document_id = d.id OR s.document_id = ANY(d.ancestor_ids))
  ))
  ORDER BY l.id DESC LIMIT ${maxEntries + 1}`;

// Selects new tasks for the user that are still open. If a task was passed on several times, the last entry counts. Log
// entries written by callers can have any text as the id of a task, so the id is matched against a pattern before it is
// cast. Tasks in workflows without documents have no document.
const assigned = statement('new-tasks', {
  ...nullableColumns(subjectRow),
  task: 'uuid',
  name: 'text?',
  by: 'text',
})`
  SELECT DISTINCT ON (t.id, d.id) ${subject}, t.id AS task, l.extended ->> 'taskName' AS name, l.principal_name AS "by"
  FROM (
    SELECT *, extended ->> 'taskId' AS task FROM log_entry WHERE repository = $1 AND event_id = ANY($6::text[])
      AND id > $2::bigint AND ${endedIn('xmin', '$3', '$4')} AND principal_name <> $5 AND ${isWanted('log_entry')}
  ) l
  JOIN task t ON t.repository = $1
    AND t.id = CASE WHEN l.task ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN l.task::uuid END
  LEFT JOIN document d ON d.repository = $1 AND d.id = l.doc_uuid
  WHERE t.state = 'opened' AND (d.id IS NOT NULL OR l.doc_uuid IS NULL)
    AND CASE l.event_id WHEN 'afterWorkflowTaskDelegated' THEN t.delegated_actors ELSE t.actors END && $7::text[]
  ORDER BY t.id, d.id, l.id DESC LIMIT ${maxEntries}`;

/**
 * The news for the caller in a part of the log: actions of other users on documents that the caller can currently read.
 */
export async function newsOf(
  scope: Scope,
  { afterEntry, from, until }: LogPart,
  isDigest: boolean,
): Promise<News> {
  const { db, user, options } = scope;
  const part = [options.repository, afterEntry, from, until, user.id];
  const pairs = isDigest ? digestEvents : notificationEvents;
  const [names, events] = [pairs.map(([name]) => name), pairs.map(([, event]) => event)];
  // Comments that concern the user are mailed at once unless the user wants a digest.
  const concerns = isDigest ? [concern('mention', user.id), concern('reply', user.id)] : [];
  const changes = await db.query(followed, [...part, names, events, concerns]);
  const tasks = await db.query(assigned, [...part, taskEvents, actorNames(user)]);
  const access = createAccess(scope);
  const visible = async <Row extends MaybeSubject>(rows: readonly Row[]) => {
    const may = await Promise.all(
      rows.map(async (row) => !hasSubject(row) || access.may(row, readPermissionFor(row))),
    );
    return rows
      .filter((_, index) => may[index])
      .map((row) => ({ ...row, link: hasSubject(row) ? mailLink(scope, row) : options.links.tasks }));
  };
  const [readable, own] = [await visible(changes.slice(0, maxEntries)), await visible(tasks)];
  return { changes: readable, tasks: own, isCut: changes.length > maxEntries };
}

/**
 * Emails news to the caller.
 * @returns false if there is no news, or if the caller has no address or does not want emails
 */
export async function mailNews(scope: Scope, news: readonly News[], isDigest: boolean): Promise<boolean> {
  const [tasks, changes] = [news.flatMap((each) => each.tasks), news.flatMap((each) => each.changes)];
  if (tasks.length + changes.length === 0) return false;
  const { user, options, db } = scope;
  const select = { isNotified: true, isDaily: true, properties: true, language: true };
  const account = await db.prisma.user.findUnique({ where: { id: user.id }, select });
  const { email } = (account?.properties ?? {}) as { readonly email?: unknown };
  const isWanting = isDigest ? account?.isDaily && !account.isNotified : account?.isNotified;
  if (!account || !isWanting || typeof email !== 'string' || !isMailAddress(email)) return false;
  const isCut = news.some((each) => each.isCut);
  const language = languageNamed(account.language) ?? options.language;
  await queueOwnMail(scope, { to: [email], ...newsMail({ tasks, changes, isCut, isDigest }, language) });
  return true;
}
