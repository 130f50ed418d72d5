import { modelColumns } from '../../db/columns.ts';
import { Invalid } from '../../errors.ts';
import type { LogEntry } from '../../generated/prisma/client.ts';
import type { Condition } from '../../query/ast.ts';
import { descending, type OrderKey } from '../../query/order-sql.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { defineList } from '../lists/list-loader.ts';
import { logConditionSql } from './log-condition.ts';

/** A log entry (§2.6). Its id is a number that JSON represents exactly. */
export interface LogEntryRow
  extends Pick<LogEntry, 'category' | 'principalName' | 'comment' | 'docLifeCycle' | 'docPath' | 'docType'>,
    Pick<LogEntry, 'eventId' | 'eventDate' | 'logDate' | 'extended'> {
  readonly id: number;
  readonly docUUID: string | null;
  /** Null for events without a repository, such as log-ins. */
  readonly repositoryId: string | null;
}

/** The columns, by their field names in responses. These are also the names to sort by. */
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

/** The types of the columns in `logEntryColumns`. */
export const logEntryRow = {
  ...modelColumns('LogEntry', 'category', 'principalName', 'comment', 'docLifeCycle', 'docPath', 'docType'),
  ...modelColumns('LogEntry', 'eventId', 'eventDate', 'logDate', 'extended'),
  id: 'float8',
  docUUID: 'uuid?',
  repositoryId: 'text?',
} as const;

/** The SELECT list for `log_entry l`, with the field names used in responses. */
export const logEntryColumns = Object.entries(columns)
  .map(([name, column]) => `${column} AS "${name}"`)
  .join(', ');

/** A filter for log entries. An entry must match one of the values of each field that is set. */
export interface LogFilter {
  readonly eventId: readonly string[] | undefined;
  readonly category: readonly string[] | undefined;
  readonly principalName: readonly string[] | undefined;
  /** The lower bound of the event date, in UTC. */
  readonly start: string | undefined;
  /** The upper bound of the event date, in UTC. */
  readonly end: string | undefined;
}

/** The sort key of each column except nullable string columns. */
const sortKeys: Readonly<Record<string, Pick<OrderKey, 'value' | 'type' | 'isNullable'>>> = {
  id: { value: 'l.id', type: 'bigint', isNullable: false },
  docUUID: { value: 'l.doc_uuid', type: 'uuid', isNullable: true },
  eventDate: { value: 'l.event_date', type: 'timestamptz', isNullable: false },
  logDate: { value: 'l.log_date', type: 'timestamptz', isNullable: false },
};

function sortKey(name: string, isAscending: boolean): OrderKey {
  if (name === 'extended' || !Object.hasOwn(columns, name)) {
    throw new Invalid(`sortBy: "${name}" is not a field that log entries can be sorted by.`);
  }
  const text = { value: columns[name as keyof LogEntryRow], type: 'text', isNullable: true } as const;
  return { ...(sortKeys[name] ?? text), isAscending };
}

const filters = {
  eventId: (ids: string) => `l.event_id = ANY(${ids}::text[])`,
  category: (categories: string) => `l.category = ANY(${categories}::text[])`,
  principalName: (names: string) => `l.principal_name = ANY(${names}::text[])`,
  start: (moment: string) => `l.event_date >= ${moment}::timestamptz`,
  end: (moment: string) => `l.event_date <= ${moment}::timestamptz`,
};

const newestFirst = {
  columns: logEntryColumns,
  row: logEntryRow,
  from: 'log_entry l',
  order: [descending('l.event_date', 'timestamptz')],
  tieBreak: descending('l.id', 'bigint'),
  filters,
};

const ofDocument = {
  ...newestFirst,
  where: 'l.repository = $1',
  ofKey: (equals: string) => `l.doc_uuid ${equals}`,
};

export const documentLogEntries = defineList<LogFilter, LogEntryRow>({
  ...ofDocument,
  name: 'document-logs',
  sortKey,
});

interface AllLogFilter extends LogFilter {
  readonly docUUID: readonly string[] | undefined;
  /** The additional condition that `Audit.Query` passes. */
  readonly matching: Condition | undefined;
}

/**
 * Reads pages of a repository's log entries and of log entries without a repository, such as log-ins. Only
 * administrators can use this list. The filter `docUUID` also finds entries about deleted documents.
 */
export const logEntries = defineList<AllLogFilter, LogEntryRow>({
  ...newestFirst,
  name: 'logs',
  where: "l.repository IN ($1, '')",
  filters: {
    ...filters,
    docUUID: (ids) => `l.doc_uuid = ANY(${ids}::uuid[])`,
    matching: { compile: logConditionSql },
  },
  sortKey,
});

const latestOfDocument = defineList<LogFilter, LogEntryRow>({
  ...ofDocument,
  name: 'latest-logs',
  isUncounted: true,
});

const latest = { pageSize: 10, offset: 0 };

/** Reads the ten newest log entries about a document, for the enricher `audit` (§4.9). */
export function latestLogEntries(
  scope: Scope,
  access: Access,
): (id: string, filter: LogFilter) => Promise<readonly LogEntryRow[]> {
  const load = latestOfDocument(scope, access);
  return async (id, filter) => (await load(filter, latest, id)).rows;
}
