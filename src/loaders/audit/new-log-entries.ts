import { statement } from '../../db/statement.ts';
import { Invalid } from '../../errors.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Scope } from '../../scope.ts';
import type { JobRow } from '../queue/jobs.ts';
import { type LogEntryRow, logEntryColumns, logEntryRow } from './log-entries.ts';
import { endedIn, type LogMoment } from './pulse.ts';

/** Entries that are read at once. */
export const entriesOfBatch = 100;

/** What a subscriber reads next: what was committed between two moments, a batch after the other. */
export interface LogSpan {
  readonly from: LogMoment;
  readonly until: LogMoment;
  /** The last row that was read; undefined before the first batch. */
  after: bigint | undefined;
  /** Whether there may be another batch. */
  hasMore: boolean;
  /** Jobs whose end the subscriber is to see, by their ids, in all its spans. */
  readonly watched: Map<string, JobRow>;
}

interface NewEntriesFilter {
  readonly events?: readonly string[] | null | undefined;
  readonly category?: string | null | undefined;
  readonly types?: readonly string[] | null | undefined;
  /** Documents at this path and below. */
  readonly path?: string | null | undefined;
}

// Ids are given out before the commit, so a higher one may be there first. By the transactions nothing is
// missed: all before the last moment have ended.
const find = statement('new-log-entries', logEntryRow)`
  SELECT ${logEntryColumns} FROM log_entry l
  WHERE l.repository = $1 AND l.id > $2::bigint
    AND ${endedIn('l.xmin', '$3', '$4')}
    AND ($5::text[] IS NULL OR l.event_id = ANY($5::text[]))
    AND ($6::text IS NULL OR l.category = $6::text)
    AND ($7::text[] IS NULL OR l.doc_type = ANY($7::text[]))
    AND ($8::text IS NULL OR l.doc_path = $8::text OR starts_with(l.doc_path, rtrim($8::text, '/') || '/'))
  ORDER BY l.id LIMIT ${entriesOfBatch}`;

/** Reads a batch, and notes in the span how far it is; without a check of permissions. @throws Invalid */
export async function newLogEntries(
  { db, options }: Pick<Scope, 'db' | 'options'>,
  span: LogSpan,
  { events = null, category = null, types = null, path = null }: NewEntriesFilter,
): Promise<readonly LogEntryRow[]> {
  requireStorable([events, types, path]);
  if (path && !path.startsWith('/')) throw new Invalid('path: it begins with a slash');
  const [from, until] = [span.from.transaction, span.until.transaction];
  if (until <= from) return [];
  const after = span.after ?? span.from.afterEntry;
  const values = [options.repository, after, from, until].map(String);
  const rows = await db.query(find, [...values, events, category, types, path]);
  span.hasMore = rows.length === entriesOfBatch;
  span.after = BigInt(rows.at(-1)?.id ?? after);
  return rows;
}
