import type { Query } from '../db/database.ts';
import { Invalid } from '../errors.ts';
import type { LogEntry } from '../generated/prisma/client.ts';
import type { Scope } from '../scope.ts';
import { listsByKey } from './batch.ts';
import { maxPageSize, type PageArguments } from './children.ts';
import { eachWish, type Part, type PartRow, partsByKey } from './parts.ts';

/** An entry of the audit (§2.6); its id is a number that JSON can hold. */
export interface LogEntryRow
  extends Pick<LogEntry, 'category' | 'principalName' | 'comment' | 'docLifeCycle' | 'docPath' | 'docType'>,
    Pick<LogEntry, 'eventId' | 'eventDate' | 'logDate' | 'extended'> {
  readonly id: number;
  readonly docUUID: string | null;
  /** None of what happened in no repository, a log-in for one. */
  readonly repositoryId: string | null;
}

/** The columns by the names that clients know, which are also what lists can be sorted by. */
const columns = {
  id: 'l.id::float8',
  category: 'l.category',
  principalName: 'l.principal_name',
  comment: 'l.comment',
  docLifeCycle: 'l.doc_life_cycle',
  docPath: 'l.doc_path',
  docType: 'l.doc_type',
  docUUID: 'l.doc_uuid',
  eventId: 'l.event_id',
  repositoryId: "nullif(l.repository, '')",
  eventDate: 'l.event_date',
  logDate: 'l.log_date',
  extended: 'l.extended',
} as const satisfies Record<keyof LogEntryRow, string>;

const selected = Object.entries(columns)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ');

/** Which entries are wanted: those that fit all of what is given, each by one of its values. */
export interface LogFilter {
  readonly eventId: readonly string[] | undefined;
  readonly category: readonly string[] | undefined;
  readonly principalName: readonly string[] | undefined;
  /** The first and the last moment, in UTC. */
  readonly start: string | undefined;
  readonly end: string | undefined;
}

/** Which entries, and which part of them in which order. */
export interface LogPage
  extends LogFilter,
    Pick<PageArguments, 'pageSize' | 'offset' | 'sortBy' | 'sortOrder'> {}

/** Some entries, and how many there are in all. */
export type LogEntriesPage = Part<LogEntryRow>;

const filters = `
  ($3::text[] IS NULL OR l.event_id = ANY($3::text[]))
  AND ($4::text[] IS NULL OR l.category = ANY($4::text[]))
  AND ($5::text[] IS NULL OR l.principal_name = ANY($5::text[]))
  AND ($6::timestamptz IS NULL OR l.event_date >= $6::timestamptz)
  AND ($7::timestamptz IS NULL OR l.event_date <= $7::timestamptz)`;

/** The newest first, unless it is said otherwise. @throws Invalid on what is no field to sort by. */
function orderOf({ sortBy, sortOrder }: LogPage): string {
  const keys = sortBy.map((name, index) => {
    const column = name !== 'extended' && Object.hasOwn(columns, name) && columns[name as keyof LogEntryRow];
    if (!column) throw new Invalid(`sortBy: "${name}" is not a field that log entries can be sorted by`);
    return `${column} ${sortOrder[index]?.toLowerCase() === 'asc' ? 'ASC' : 'DESC'} NULLS LAST`;
  });
  if (keys.length === 0) keys.push('l.event_date DESC');
  return [...keys, 'l.id DESC'].join(', ');
}

/**
 * A page of the entries of each of some subjects; an empty page is a row without an entry.
 * @param subjects a table of one column `id`; $2 is for it, or for the condition.
 * @param condition which entries `l` are of a subject `s`; $1 is the repository.
 */
const pageQuery = (name: string, subjects: string, condition: string, order: string): Query => ({
  name,
  text: `
    SELECT s.id AS "of", c.total, e.*
    FROM ${subjects} AS s (id)
    CROSS JOIN LATERAL (SELECT count(*)::int AS total FROM log_entry l WHERE ${condition} AND ${filters}) c
    LEFT JOIN LATERAL (
      SELECT ${selected}, row_number() OVER (ORDER BY ${order}) AS "at"
      FROM log_entry l WHERE ${condition} AND ${filters} ORDER BY ${order} LIMIT $8::int OFFSET $9::int
    ) e ON true
    ORDER BY s.id, e."at"`,
});

type PageRow = { of: string | null; total: number } & (LogEntryRow | { id: null });

/** $3 to $7. */
const filterValues = ({ eventId, category, principalName, start, end }: LogFilter): unknown[] =>
  [eventId, category, principalName, start, end].map((value) => value ?? null);

const valuesOf = ({ pageSize, offset, ...filter }: LogPage): unknown[] => {
  const size = pageSize === 0 ? maxPageSize : Math.min(pageSize, maxPageSize);
  return [...filterValues(filter), size, offset];
};

const pageOf = (rows: readonly PageRow[]): LogEntriesPage => ({
  total: rows[0]?.total ?? 0,
  rows: rows.filter((row): row is PageRow & LogEntryRow => row.id !== null),
});

/** A statement of its own for each way of sorting; the usual one has a name. */
const nameOf = (name: string, { sortBy }: LogPage): string => (sortBy.length === 0 ? name : '');

const ofDocument = 'l.repository = $1 AND l.doc_uuid = s.id';

/** Pages of the entries of documents, by the documents' ids: one loader for each wish. */
export const logEntryPages = ({
  db,
  options,
}: Scope): ((id: string, page: LogPage) => Promise<LogEntriesPage>) =>
  eachWish((page: LogPage) => {
    const name = nameOf('log-entries-of-documents', page);
    const query = pageQuery(name, 'unnest($2::uuid[])', ofDocument, orderOf(page));
    return partsByKey((ids) =>
      db.query<PartRow<LogEntryRow>>(query, [options.repository, ids, ...valuesOf(page)]),
    );
  });

const anywhere = "l.repository IN ($1, '') AND ($2::uuid[] IS NULL OR l.doc_uuid = ANY($2::uuid[]))";

/**
 * A page of all entries of the repository and of what happened in none, or of those about some documents, which need
 * not be there any more. For administrators.
 */
export const logEntries =
  ({ db, options }: Scope) =>
  async (page: LogPage, docUUID?: readonly string[]): Promise<LogEntriesPage> => {
    const name = nameOf('log-entries', page);
    const query = pageQuery(name, '(VALUES (NULL::uuid))', anywhere, orderOf(page));
    return pageOf(await db.query<PageRow>(query, [options.repository, docUUID ?? null, ...valuesOf(page)]));
  };

/** As many as the enricher `audit` shows (§4.9). */
const latest = 10;

const latestQuery: Query = {
  name: 'latest-log-entries',
  text: `
    SELECT e.* FROM unnest($2::uuid[]) AS s (id)
    CROSS JOIN LATERAL (
      SELECT ${selected} FROM log_entry l
      WHERE ${ofDocument} AND ${filters} ORDER BY l.event_date DESC, l.id DESC LIMIT ${latest}
    ) e
    ORDER BY e."eventDate" DESC, e.id DESC`,
};

/** The ten newest entries of documents that fit, the newest first, by the documents' ids: one loader for each filter. */
export const latestLogEntries = ({
  db,
  options,
}: Scope): ((id: string, filter: LogFilter) => Promise<readonly LogEntryRow[]>) =>
  eachWish((filter: LogFilter) =>
    listsByKey(
      (ids) => db.query<LogEntryRow>(latestQuery, [options.repository, ids, ...filterValues(filter)]),
      ({ docUUID }) => docUUID ?? '',
    ),
  );
