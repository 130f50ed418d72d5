import { statement } from '../../db/statement.ts';
import { notificationEvents } from '../../model/notifications.ts';
import type { Scope } from '../../scope.ts';
import { type LogEntryRow, logEntryColumns, logEntryRow } from './log-entries.ts';

/** The maximum number of entries in the feed. */
export const maxFollowedEntries = 50;

/** The maximum number of followed documents that the feed considers. */
const maxFollowed = 200;

/**
 * The number of the newest entries of the log among which the feed looks for changes below followed folders. Without
 * this limit, a user who follows a quiet folder would make PostgreSQL read the whole log.
 */
const maxScanned = 5_000;

const events = [...new Set([...notificationEvents.map(([, event]) => event), 'commentAdded'])];

// Entries of the followed documents themselves are found through the index by document, however old they are.
const find = statement('followed-entries', logEntryRow)`
  WITH followed AS (
    SELECT DISTINCT document_id FROM subscription WHERE repository = $1 AND user_id = $2 LIMIT ${maxFollowed}
  ), latest AS (
    SELECT * FROM log_entry WHERE repository = $1 ORDER BY event_date DESC LIMIT ${maxScanned}
  )
  SELECT ${logEntryColumns} FROM (
    SELECT own.* FROM followed f CROSS JOIN LATERAL (
      SELECT * FROM log_entry e WHERE e.repository = $1 AND e.doc_uuid = f.document_id AND e.principal_name <> $2
        AND e.event_id = ANY($3::text[])
      ORDER BY e.event_date DESC, e.id DESC LIMIT ${maxFollowedEntries}
    ) own
    UNION
    SELECT e.* FROM latest e JOIN document d ON d.repository = e.repository AND d.id = e.doc_uuid
    WHERE d.ancestor_ids && ARRAY(SELECT document_id FROM followed) AND e.principal_name <> $2
      AND e.event_id = ANY($3::text[])
  ) l ORDER BY l.event_date DESC, l.id DESC LIMIT ${maxFollowedEntries}`;

/**
 * Reads the newest log entries about documents that the caller has subscribed to, and about documents below them, that
 * other users have caused. Permissions are not checked.
 */
export const followedEntries = ({ db, options, user }: Scope): Promise<readonly LogEntryRow[]> =>
  db.query(find, [options.repository, user.id, events]);
