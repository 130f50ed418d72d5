import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import {
  endedIn,
  type LogMoment,
  type LogPosition,
  readLogPosition,
} from '../../loaders/audit/log-poller.ts';
import { digestEvents, notificationEvents, taskEvents } from '../../model/notifications.ts';
import type { TakenJob } from '../queue/take-jobs.ts';

/** The kind of job that sends notification emails to one person. */
export const personJob = 'notify-person';

/**
 * A part of the log: the entries that were committed between the transactions `from` and `until` and whose ids are
 * above `afterEntry`. All three are decimal numbers.
 */
export interface LogPart {
  readonly from: string;
  readonly until: string;
  readonly afterEntry: string;
}

/** A part of the log that contains news for a person, and the repositories that the news is about. */
export interface PersonNews extends LogPart {
  readonly user: string;
  readonly repositories: readonly string[];
  /** Whether the email is a daily digest, which also reports comments. */
  readonly isDigest?: boolean;
}

// Adds a job for each person who has to be notified of something in a part of the log.
//
// Plan: `repositories` steps through the few repositories with one index lookup each, because the key of the log begins
// with the repository. `entries` reads the part of the log once, whatever the number of followers. `touched` reduces it
// to the documents concerned and their ancestors, and `followers` joins these with the subscriptions. `actors` contains
// the actors of new tasks; `inside` expands their groups. `concerned` contains the people whom comments mention or answer, for
// digests. `people` combines all of these; users who want no emails or want them at another time
// and users without an address are omitted.
const enqueue = statement('find-notified')`
  WITH RECURSIVE repositories (name) AS (
    SELECT min(repository) FROM log_entry
    UNION ALL
    SELECT (SELECT min(l.repository) FROM log_entry l WHERE l.repository > r.name)
    FROM repositories r WHERE r.name IS NOT NULL
  ), entries AS (
    SELECT l.repository, l.doc_uuid, l.event_id, l.concerns,
      CASE l.event_id WHEN 'afterWorkflowTaskDelegated' THEN l.extended -> 'delegatedActors'
        ELSE l.extended -> 'taskActors' END AS actors
    FROM repositories r CROSS JOIN LATERAL (
      SELECT * FROM log_entry e WHERE e.repository = r.name AND e.id > $1::bigint
        AND ${endedIn('e.xmin', '$2', '$3')} AND e.event_id = ANY($5::text[])
    ) l
    WHERE r.name <> ''
  ), touched AS (
    SELECT DISTINCT e.repository, p.place, e.event_id
    FROM entries e JOIN document d ON d.repository = e.repository AND d.id = e.doc_uuid
      CROSS JOIN LATERAL unnest(d.ancestor_ids || d.id) AS p (place)
    WHERE EXISTS (SELECT FROM subscription)
  ), followers AS (
    SELECT DISTINCT t.repository, s.user_id
    FROM touched t JOIN unnest($4::text[], $5::text[]) AS n (notification, event) ON n.event = t.event_id
      JOIN subscription s ON s.repository = t.repository AND s.document_id = t.place
        AND s.notification = n.notification
  ), actors AS (
    SELECT DISTINCT e.repository, a.name
    FROM entries e CROSS JOIN LATERAL jsonb_array_elements_text(
      CASE jsonb_typeof(e.actors) WHEN 'array' THEN e.actors ELSE '[]' END) AS a (name)
    WHERE e.event_id = ANY($6::text[])
  ), inside (repository, id) AS (
    SELECT a.repository, substr(a.name, 7) FROM actors a WHERE starts_with(a.name, 'group:')
    UNION
    SELECT i.repository, m.member_id FROM inside i JOIN group_membership m ON m.group_id = i.id
  ), concerned AS (
    SELECT e.repository, c.name FROM entries e CROSS JOIN LATERAL unnest(e.concerns) AS c (name) WHERE $7
  ), people (repository, id) AS (
    SELECT repository, user_id FROM followers
    UNION
    SELECT repository, substr(name, 9) FROM concerned WHERE starts_with(name, 'mention:')
    UNION
    SELECT repository, substr(name, 7) FROM concerned WHERE starts_with(name, 'reply:')
    UNION
    SELECT repository, substr(name, 6) FROM actors WHERE starts_with(name, 'user:')
    UNION
    SELECT i.repository, m.member_id FROM inside i JOIN user_membership m ON m.group_id = i.id
  )
  INSERT INTO job (kind, payload)
  SELECT '${personJob}', jsonb_build_object('user', u.id, 'repositories', jsonb_agg(p.repository ORDER BY p.repository),
    'isDigest', $7::boolean,
    'afterEntry', $1::text, 'from', $2::text, 'until', $3::text)
  FROM people p JOIN "user" u ON u.id = p.id
  WHERE CASE WHEN $7 THEN u.is_daily AND NOT u.is_notified ELSE u.is_notified END AND u.properties ->> 'email' <> ''
  GROUP BY u.id
  RETURNING 1`;

/** A position in the log as JSON. The numbers are strings, because JSON has no 64-bit integers. */
interface StoredPosition {
  readonly transaction?: string;
  readonly afterEntry?: string;
  readonly lastEntry?: string;
  readonly mark?: { readonly transaction: string; readonly afterEntry: string };
}

const momentOf = ({ transaction, afterEntry }: { transaction: string; afterEntry: string }): LogMoment => ({
  transaction: BigInt(transaction),
  afterEntry: BigInt(afterEntry),
});

/** Parses the stored position; undefined before the first run. */
function positionOf({ transaction, afterEntry, lastEntry, mark }: StoredPosition): LogPosition | undefined {
  if (transaction === undefined || afterEntry === undefined || lastEntry === undefined) return undefined;
  const moment = momentOf({ transaction, afterEntry });
  return { ...moment, lastEntry: BigInt(lastEntry), mark: mark && momentOf(mark) };
}

const jsonOf = (position: LogPosition): Prisma.InputJsonObject =>
  JSON.parse(
    JSON.stringify(position, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
  );

/**
 * Adds a job for each person who wants emails immediately, or a daily digest, and for whom there is news since the last run. The position of that run in the log is in the
 * payload of this job. All news is found in the log, so writes need no extra work.
 * @returns the number of people
 */
export async function findNotified(
  db: Pick<Client, 'prisma' | 'query' | 'announce'>,
  job: TakenJob,
  isDigest: boolean,
): Promise<number> {
  const before = positionOf(job.payload as StoredPosition);
  const now = await readLogPosition(db, before);
  // Stores the new position in the job; no row is changed if another runner has taken over the job.
  const where = { id: BigInt(job.id), fence: job.fence };
  const { count } = await db.prisma.job.updateMany({ where, data: { payload: jsonOf(now) } });
  if (count === 0) throw new Error('Another runner has taken over the job.');
  if (!before || now.transaction <= before.transaction) return 0;
  // The part starts at the position of the last run, because a long transaction that has ended since then may have
  // written older entries.
  const part = [before.afterEntry, before.transaction, now.transaction].map(String);
  const pairs = isDigest ? digestEvents : notificationEvents;
  const people = await db.query(enqueue, [
    ...part,
    pairs.map(([name]) => name),
    pairs.map(([, event]) => event),
    taskEvents,
    isDigest,
  ]);
  if (people.length > 0) await db.announce('jobs');
  return people.length;
}
