import { statement } from '../../db/statement.ts';
import { Invalid } from '../../errors.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Scope } from '../../scope.ts';
import type { JobRow } from '../queue/jobs.ts';
import { concernsOf, followedEvents } from './inbox-entries.ts';
import { type LogEntryRow, logEntryColumns, logEntryRow } from './log-entries.ts';
import { endedIn, type LogMoment } from './log-poller.ts';

/** The number of entries that one statement reads. */
export const entriesPerBatch = 100;

/** The part of the log that a subscriber reads next: the entries committed between two moments, read in batches. */
export interface LogSpan {
  readonly from: LogMoment;
  readonly until: LogMoment;
  /** The id of the last row that was read; undefined before the first batch. */
  after: bigint | undefined;
  /** Whether there may be another batch. */
  hasMore: boolean;
  /** The jobs that the subscriber is waiting for, by id. All spans of a subscriber share the map. */
  readonly watched: Map<string, JobRow>;
}

interface NewEntriesFilter {
  readonly events?: readonly string[] | null | undefined;
  readonly category?: string | null | undefined;
  readonly types?: readonly string[] | null | undefined;
  /** The path of a document; events about documents below it are included. */
  readonly path?: string | null | undefined;
  /**
   * Whether to add the entries of the caller's inbox to those at or below the path; without a path, only these are
   * returned.
   */
  readonly inbox?: boolean | null | undefined;
}

/** A log entry, and whether it is in the caller's inbox, if that was requested. */
export interface NewLogEntryRow extends LogEntryRow {
  readonly isInInbox: boolean;
}

// Entries get their ids before their transactions commit, so an entry with a higher id can become visible before one
// with a lower id, which reading by id alone would miss. This statement therefore selects entries by their
// transactions: all transactions before the second moment have ended, so every entry is read exactly once. The
// condition on ids only narrows the scan.
const find = statement('new-log-entries', { ...logEntryRow, isInInbox: 'bool' })`
  SELECT ${logEntryColumns}, i.hit AS "isInInbox"
  FROM log_entry l CROSS JOIN LATERAL (
    SELECT $9::text[] IS NOT NULL AND l.principal_name <> $10 AND (
      coalesce(l.concerns && $9::text[], false) OR l.event_id = ANY($11::text[]) AND EXISTS (
        SELECT FROM document d JOIN subscription s ON s.repository = d.repository
          AND (s.document_id = d.id OR s.document_id = ANY(d.ancestor_ids))
        WHERE d.repository = l.repository AND d.id = l.doc_uuid AND s.user_id = $10
      )
    ) AS hit
  ) i
  WHERE l.repository = $1 AND l.id > $2::bigint
    AND ${endedIn('l.xmin', '$3', '$4')}
    AND ($5::text[] IS NULL OR l.event_id = ANY($5::text[]))
    AND ($6::text IS NULL OR l.category = $6::text)
    AND ($7::text[] IS NULL OR l.doc_type = ANY($7::text[]))
    AND (i.hit OR CASE WHEN $8::text IS NULL THEN $9::text[] IS NULL
      ELSE l.doc_path = $8::text OR starts_with(l.doc_path, rtrim($8::text, '/') || '/') END)
  ORDER BY l.id LIMIT ${entriesPerBatch}`;

/**
 * Reads the next batch of a span and updates the span, without checking permissions.
 * @throws Invalid
 */
export async function newLogEntries(
  { db, options, user }: Pick<Scope, 'db' | 'options' | 'user'>,
  span: LogSpan,
  { events = null, category = null, types = null, path = null, inbox = false }: NewEntriesFilter,
): Promise<readonly NewLogEntryRow[]> {
  requireStorable([events, types, path]);
  if (path && !path.startsWith('/')) throw new Invalid('path must begin with a slash.');
  const [from, until] = [span.from.transaction, span.until.transaction];
  if (until <= from) return [];
  const after = span.after ?? span.from.afterEntry;
  const values = [options.repository, after, from, until].map(String);
  const inboxValues = [inbox ? concernsOf(user) : null, user.id, followedEvents];
  const rows = await db.query(find, [...values, events, category, types, path, ...inboxValues]);
  span.hasMore = rows.length === entriesPerBatch;
  span.after = BigInt(rows.at(-1)?.id ?? after);
  return rows;
}
