import { typed } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import { concern, type InboxReason } from '../../model/inbox.ts';
import { notificationEvents } from '../../model/notifications.ts';
import type { Scope } from '../../scope.ts';
import type { Principal } from '../../security/principal.ts';
import { actorNames } from '../workflows/tasks.ts';
import { type LogEntryRow, logEntryColumns, logEntryRow } from './log-entries.ts';

/** The maximum number of entries in an inbox. */
export const maxInboxEntries = 100;

/** The number of days for which an inbox shows an event. */
export const inboxDays = 90;

/** The maximum number of followed documents that the inbox considers. */
const maxFollowed = 200;

/**
 * The number of the newest entries of the log among which the inbox looks for changes below followed folders. Without
 * this limit, a user who follows a quiet folder would make PostgreSQL read the whole log.
 */
const maxScanned = 5_000;

/** The events of followed documents that belong in an inbox. */
export const followedEvents = [...new Set([...notificationEvents.map(([, event]) => event), 'commentAdded'])];

/** All values of the column `concerns` that mean a user. */
export const concernsOf = (user: Pick<Principal, 'id' | 'groups'>): string[] => [
  concern('mention', user.id),
  concern('reply', user.id),
  ...[user.id, ...user.groups].map((name) => concern('share', name)),
  ...actorNames(user).map((name) => concern('task', name)),
];

/** A log entry in a user's inbox. */
export interface InboxEntryRow extends LogEntryRow {
  readonly reason: InboxReason;
  readonly isUnread: boolean;
}

// Entries that concern the user are found through the partial index on `concerns`. They are sorted afterwards, because
// PostgreSQL could otherwise read the log from its newest entry on, all of it for a user with few entries. Entries of the
// followed documents themselves are found through the index by document, unless they are older than the subscription.
const find = statement('inbox-entries', {
  ...logEntryRow,
  reason: typed<InboxReason>('text'),
  isUnread: 'bool',
})`
  WITH followed AS (
    SELECT document_id, min(since) AS since FROM subscription WHERE repository = $1 AND user_id = $2
    GROUP BY document_id LIMIT ${maxFollowed}
  ), concerning AS MATERIALIZED (
    SELECT * FROM log_entry WHERE repository = $1 AND concerns && $4::text[] AND principal_name <> $2
  ), latest AS (
    SELECT * FROM log_entry WHERE repository = $1 ORDER BY event_date DESC LIMIT ${maxScanned}
  )
  SELECT ${logEntryColumns},
    coalesce(
      (SELECT min(split_part(c.name, ':', 1)) FROM unnest(l.concerns) AS c (name) WHERE c.name = ANY($4::text[])),
      'follow'
    ) AS reason,
    l.id > u.read_until AND l.id <> ALL(coalesce(u.read_entries, '{}')) AS "isUnread"
  FROM (
    (SELECT * FROM concerning e ORDER BY e.event_date DESC, e.id DESC LIMIT ${maxInboxEntries})
    UNION
    SELECT own.* FROM followed f CROSS JOIN LATERAL (
      SELECT * FROM log_entry e WHERE e.repository = $1 AND e.doc_uuid = f.document_id AND e.principal_name <> $2
        AND e.event_id = ANY($3::text[]) AND e.event_date >= f.since
      ORDER BY e.event_date DESC, e.id DESC LIMIT ${maxInboxEntries}
    ) own
    UNION
    SELECT e.* FROM latest e JOIN document d ON d.repository = e.repository AND d.id = e.doc_uuid
    WHERE d.ancestor_ids && ARRAY(SELECT document_id FROM followed) AND e.principal_name <> $2
      AND e.event_id = ANY($3::text[])
      AND EXISTS (SELECT FROM followed f WHERE f.document_id = ANY(d.ancestor_ids) AND e.event_date >= f.since)
  ) l CROSS JOIN (SELECT read_until, read_entries FROM "user" WHERE id = $2) u
  WHERE l.event_date > now() - make_interval(days => ${inboxDays})
  ORDER BY l.event_date DESC, l.id DESC LIMIT ${maxInboxEntries}`;

/**
 * Reads the newest log entries that others have caused and that concern the caller: mentions, replies, shares, tasks,
 * and changes at or below the documents that the caller follows, made after the caller followed them. Permissions are not
 * checked.
 */
export const inboxEntries = ({ db, options, user }: Scope): Promise<readonly InboxEntryRow[]> =>
  db.query(find, [options.repository, user.id, followedEvents, concernsOf(user)]);
