import type { Client } from '../../db/database.ts';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import { rewritten, type Statement, statement } from '../../db/statement.ts';
import { Forbidden } from '../../errors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { type EventName, isServerEvent } from '../../model/event-names.ts';
import { facetsOf } from '../../model/facets-of.ts';
import type { RequestOptions, Scope, Using } from '../../scope.ts';
import type { Principal } from '../../security/principal.ts';

/** An event to log. */
export interface AuditEvent {
  readonly eventId: EventName;
  /** The category of the event; `eventDocumentCategory` by default. */
  readonly category?: string;
  readonly document?: DocumentRow;
  /**
   * The repository of an event without a document; absent for events that belong to no repository, such as a log-in.
   */
  readonly repository?: string;
  readonly comment?: string | null | undefined;
  readonly extended?: Readonly<Record<string, unknown>>;
  /** The users and groups whom the event concerns, for their inboxes; see `concern`. */
  readonly concerns?: readonly string[];
}

/** An event reported by a caller. The server cannot know whether the event has happened. */
export interface ClaimedEvent extends Omit<AuditEvent, 'eventId'> {
  readonly eventId: string;
}

/** The category of events about documents. */
export const documentCategory = 'eventDocumentCategory';

/**
 * Whether events about a document are logged. Events about documents that the server uses internally are not logged,
 * unless a facet requires it. Webhooks and notifications are derived from log entries, so none are sent for these
 * documents either.
 */
export function isTraced(facets: readonly string[]): boolean {
  const isHidden = facets.includes('SystemDocument') || facets.includes('HiddenInNavigation');
  return !isHidden || facets.includes('ForceAudit');
}

/** The parts of a scope that logging needs. */
export interface AuditScope extends Using<'model'> {
  readonly db: Pick<Client, 'query'>;
  readonly user: Pick<Principal, 'id'>;
  readonly options: Pick<RequestOptions, 'comment'> & Partial<Pick<RequestOptions, 'source'>>;
}

const isAudited = ({ services: { model } }: Using<'model'>, { document }: ClaimedEvent): boolean =>
  !document || isTraced(facetsOf(model, document));

/** A row of `log_entry`. Events about users, groups and log-ins have no repository. */
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
  readonly concerns?: readonly string[];
}

function entryOf(
  { user, options }: AuditScope,
  { document, repository = '', comment, extended, concerns = [], ...event }: ClaimedEvent,
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
    ...(concerns.length > 0 && { concerns: [...new Set(concerns)] }),
  };
}

const columns =
  'repository, event_id, category, principal_name, comment, doc_uuid, doc_path, doc_type, doc_life_cycle, event_date, extended, concerns';

const entriesFrom = (parameter: number): string => `
  jsonb_to_recordset($${parameter}::jsonb) AS e (
    repository text, event_id text, category text, principal_name text, comment text, doc_uuid uuid,
    doc_path text, doc_type text, doc_life_cycle text, event_date timestamptz, extended jsonb,
    concerns text[]
  )`;

// `log_date` is the time of the write rather than the start of the transaction. It is never earlier than the event
// itself, even if the clocks of the server and the database differ.
const insertInto = `INSERT INTO log_entry (${columns}, log_date)`;
const logDate = 'greatest(clock_timestamp(), e.event_date)';

const insert = (parameter: number): string =>
  `${insertInto} SELECT ${columns}, ${logDate} FROM ${entriesFrom(parameter)}`;

/** SQL that inserts an entry for each row of `logged`, using the entry with the same `event_id` as a template. */
const insertEach = (parameter: number, logged: string): string => `
  ${insertInto}
  SELECT $1, e.event_id, e.category, e.principal_name, e.comment, logged.id, logged.path, logged.type, logged.state,
    e.event_date, e.extended, e.concerns, ${logDate}
  FROM ${entriesFrom(parameter)} JOIN (${logged}) logged ON logged.event_id = e.event_id`;

const recordQuery = statement('record')`${insert(1)}`;

/** Inserts log entries. */
export const insertLogEntries = (
  db: Pick<Client, 'query'>,
  entries: readonly NewLogEntry[],
): Promise<unknown> => db.query(recordQuery, [JSON.stringify(entries)]);

async function insertEvents(scope: AuditScope, events: readonly ClaimedEvent[]): Promise<void> {
  const entries = events.filter((event) => isAudited(scope, event)).map((event) => entryOf(scope, event));
  if (entries.length > 0) await insertLogEntries(scope.db, entries);
}

/** Logs events, except those about documents that the server uses internally. */
export const recordEvents = (scope: AuditScope, events: readonly AuditEvent[]): Promise<void> =>
  insertEvents(scope, events);

/**
 * Logs events reported by a caller. Only administrators can use the names of the server's own events, because readers
 * of the log and receivers of webhooks would otherwise believe that the server had done something.
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

/** A write statement that can also insert log entries. */
export interface AuditedStatement<Row = unknown> extends Statement<Row> {
  /** A single statement that performs the write and inserts the log entries, which are passed as the last parameter. */
  readonly audited: Statement<Row>;
}

const parametersOf = ({ text }: Statement): number =>
  Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));

/**
 * Extends a write so that it also inserts log entries, without an additional round trip.
 * @param query an INSERT, UPDATE or DELETE with RETURNING that uses all of its parameters; if it returns no row,
 * nothing is logged
 * @param shown whether the result consists of all returned rows, or only of the first one
 * @param additional a second write in the same statement, with the same parameters
 */
export function withAudit<Row>(
  query: Statement<Row>,
  shown: 'all' | 'first' = 'all',
  additional?: string,
): AuditedStatement<Row> {
  const last = parametersOf(query);
  const extra = additional ? `additional AS (${additional}), ` : '';
  const text = `
    WITH ${extra}written AS (${query.text}), logged AS (${insert(last + 1)} WHERE EXISTS (SELECT FROM written))
    SELECT * FROM written${shown === 'first' ? ' LIMIT 1' : ''}`;
  const plain = additional ? `WITH ${extra}written AS (${query.text}) SELECT * FROM written` : query.text;
  return { ...rewritten(query, plain), audited: rewritten(query, text, `${query.name}-recorded`) };
}

/** Runs a write along with its log entries. */
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

/** A write to many documents that logs each document without reading it first. */
interface BulkAuditedStatement {
  readonly audited: Statement;
}

/**
 * Extends a write statement so that it also inserts a log entry for each document that it writes.
 * @param query a write as for `withAudit`; its first parameter, $1, must be the repository
 * @param logged a SELECT of id, path, type, state and event_id for the rows of `written` that are to be logged
 */
export function withBulkAudit(query: Statement, logged: string, additional: string): BulkAuditedStatement {
  const text = `
    WITH additional AS (${additional}), written AS (${query.text}), entries AS (${insertEach(parametersOf(query) + 1, logged)})
    SELECT count(*)::int AS count FROM written`;
  return { audited: statement(query.name)`${text}` };
}

/**
 * Runs a write to many documents. Each event is a template for log entries, to which the statement adds the documents.
 */
export const writeBulkAudited = (
  scope: Scope,
  { audited }: BulkAuditedStatement,
  values: readonly unknown[],
  events: ReadonlyArray<Omit<AuditEvent, 'document'>>,
): Promise<unknown> =>
  scope.db.query(audited, [...values, JSON.stringify(events.map((event) => entryOf(scope, event)))]);

/** Deletes log entries that are older than the given number of days. */
export const deleteOldEntries = oldRowsDeletion({
  table: 'log_entry',
  key: ['repository', 'id'],
  since: 'event_date',
});
