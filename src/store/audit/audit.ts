import type { Client } from '../../db/database.ts';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import { rewritten, type Statement, statement } from '../../db/statement.ts';
import { Forbidden } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { type EventName, isServerEvent } from '../../model/event-names.ts';
import { facetsOf } from '../../model/facets-of.ts';
import type { RequestOptions, Scope, Using } from '../../scope.ts';
import type { Principal } from '../../security/principal.ts';

export interface AuditEvent {
  readonly eventId: EventName;
  /** `eventDocumentCategory` when absent. */
  readonly category?: string;
  readonly document?: DocumentRow;
  /** That of an event about no document; none when absent, as of a log-in. */
  readonly repository?: string;
  readonly comment?: string | null | undefined;
  readonly extended?: Readonly<Record<string, unknown>>;
}

/** An event that a caller says has happened. */
export interface ClaimedEvent extends Omit<AuditEvent, 'eventId'> {
  readonly eventId: string;
}

export const documentCategory = 'eventDocumentCategory';

/**
 * Documents of the server's own are not logged, unless a facet demands it. Webhooks and notifications are made from log
 * entries, so they are not sent for what is not logged either.
 */
export function isTraced(facets: readonly string[]): boolean {
  const isHidden = facets.includes('SystemDocument') || facets.includes('HiddenInNavigation');
  return !isHidden || facets.includes('ForceAudit');
}

export interface AuditScope extends Using<'model'> {
  readonly db: Pick<Client, 'query'>;
  readonly user: Pick<Principal, 'id'>;
  readonly options: Pick<RequestOptions, 'comment'> & Partial<Pick<RequestOptions, 'source'>>;
}

const isAudited = ({ services: { model } }: Using<'model'>, { document }: ClaimedEvent): boolean =>
  !document || isTraced(facetsOf(model, document));

/** A row of `log_entry`; events of users, groups and log-ins have no repository. */
export interface NewLogEntry {
  readonly repository: string;
  readonly event_id: string;
  readonly category: string;
  readonly principal_name: string;
  readonly comment: string | null;
  readonly doc_uuid: string | null;
  readonly doc_path: string | null;
  readonly doc_type: string | null;
  readonly doc_life_cycle: string | null;
  readonly event_date: string;
  readonly extended: Readonly<Record<string, unknown>>;
}

function entryOf(
  { user, options }: AuditScope,
  { document, repository = '', comment, extended, ...event }: ClaimedEvent,
): NewLogEntry {
  return {
    repository: document?.repository ?? repository,
    event_id: event.eventId,
    category: event.category ?? documentCategory,
    principal_name: user.id,
    comment: comment ?? options.comment ?? null,
    doc_uuid: document?.id ?? null,
    doc_path: document?.path ?? null,
    doc_type: document?.type ?? null,
    doc_life_cycle: document?.state ?? null,
    event_date: new Date().toISOString(),
    extended: { ...(options.source !== undefined && { source: options.source }), ...extended },
  };
}

const columns =
  'repository, event_id, category, principal_name, comment, doc_uuid, doc_path, doc_type, doc_life_cycle, event_date, extended';

const given = (parameter: number): string => `
  jsonb_to_recordset($${parameter}::jsonb) AS e (
    repository text, event_id text, category text, principal_name text, comment text, doc_uuid uuid,
    doc_path text, doc_type text, doc_life_cycle text, event_date timestamptz, extended jsonb
  )`;

// The time of the write, not of the transaction's begin, and never before the event itself if the clocks
// differ.
const insertInto = `INSERT INTO log_entry (${columns}, log_date)`;
const logDate = 'greatest(clock_timestamp(), e.event_date)';

const insert = (parameter: number): string =>
  `${insertInto} SELECT ${columns}, ${logDate} FROM ${given(parameter)}`;

/** Inserts an entry for each row of `logged`, filled in from the template of its `event_id`. */
const insertEach = (parameter: number, logged: string): string => `
  ${insertInto}
  SELECT $1, e.event_id, e.category, e.principal_name, e.comment, logged.id, logged.path, logged.type, logged.state,
    e.event_date, e.extended, ${logDate}
  FROM ${given(parameter)} JOIN (${logged}) logged ON logged.event_id = e.event_id`;

const recordQuery = statement('record')`${insert(1)}`;

export const insertLogEntries = (
  db: Pick<Client, 'query'>,
  entries: readonly NewLogEntry[],
): Promise<unknown> => db.query(recordQuery, [JSON.stringify(entries)]);

async function insertEvents(scope: AuditScope, events: readonly ClaimedEvent[]): Promise<void> {
  const entries = events.filter((event) => isAudited(scope, event)).map((event) => entryOf(scope, event));
  if (entries.length > 0) await insertLogEntries(scope.db, entries);
}

export const recordEvents = (scope: AuditScope, events: readonly AuditEvent[]): Promise<void> =>
  insertEvents(scope, events);

/**
 * Logs events that a caller says have happened. Readers of the log and receivers of webhooks take an entry with
 * a name of the server's own for something that the server did, so only administrators can use these names.
 * @throws Forbidden
 */
export async function recordClaims(
  scope: AuditScope & { readonly user: Pick<Principal, 'isAdministrator'> },
  events: readonly ClaimedEvent[],
): Promise<void> {
  const own = events.find(({ eventId }) => isServerEvent(eventId));
  if (own && !scope.user.isAdministrator) {
    throw new Forbidden(
      `Only administrators can log events named ${own.eventId}, because the server itself uses this name.`,
    );
  }
  await insertEvents(scope, events);
}

export interface AuditedStatement<Row = unknown> extends Statement<Row> {
  /** The write with its log entries in one statement; the entries are the last parameter. */
  readonly audited: Statement<Row>;
}

const parametersOf = ({ text }: Statement): number =>
  Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));

/**
 * Adds log entries to a write without one more statement.
 * @param query one INSERT, UPDATE or DELETE with RETURNING that uses all its parameters; without a returned
 * row nothing is logged.
 * @param shown the returned rows that are the result: all of them, or the first.
 * @param beside a second write in the same statement, with the same parameters.
 */
export function withAudit<Row>(
  query: Statement<Row>,
  shown: 'all' | 'first' = 'all',
  beside?: string,
): AuditedStatement<Row> {
  const last = parametersOf(query);
  const besides = beside ? `besides AS (${beside}), ` : '';
  const text = `
    WITH ${besides}written AS (${query.text}), logged AS (${insert(last + 1)} WHERE EXISTS (SELECT FROM written))
    SELECT * FROM written${shown === 'first' ? ' LIMIT 1' : ''}`;
  const plain = beside ? `WITH ${besides}written AS (${query.text}) SELECT * FROM written` : query.text;
  return { ...rewritten(query, plain), audited: rewritten(query, text, `${query.name}-recorded`) };
}

export async function writeAudited<Row>(
  scope: AuditScope,
  query: AuditedStatement<Row>,
  values: readonly unknown[],
  events: readonly AuditEvent[],
): Promise<Row[]> {
  const entries = events.filter((event) => isAudited(scope, event)).map((event) => entryOf(scope, event));
  if (entries.length === 0) return scope.db.query(query, values);
  return scope.db.query(query.audited, [...values, JSON.stringify(entries)]);
}

/** A write of many documents that logs each of them without reading them. */
interface BulkAuditedStatement {
  readonly audited: Statement;
}

/**
 * Adds a log entry for each written document.
 * @param query as in `withAudit`; $1 is the repository.
 * @param logged SELECT of id, path, type, state and event_id of the rows of `written` that are logged.
 */
export function withBulkAudit(query: Statement, logged: string, beside: string): BulkAuditedStatement {
  const text = `
    WITH besides AS (${beside}), written AS (${query.text}), entries AS (${insertEach(parametersOf(query) + 1, logged)})
    SELECT count(*)::int AS count FROM written`;
  return { audited: statement(query.name)`${text}` };
}

/** Each event is the template of many log entries; the statement adds the documents. */
export const writeBulkAudited = (
  scope: Scope,
  { audited }: BulkAuditedStatement,
  values: readonly unknown[],
  events: ReadonlyArray<Omit<AuditEvent, 'document'>>,
): Promise<unknown> =>
  scope.db.query(audited, [...values, JSON.stringify(events.map((event) => entryOf(scope, event)))]);

export const deleteOldEntries = oldRowsDeletion({
  table: 'log_entry',
  key: ['repository', 'id'],
  since: 'event_date',
});
