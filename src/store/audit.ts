import type { Client, Query } from '../db/database.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { facetsOf } from '../model/facets-of.ts';
import type { Principal, RequestOptions, Scope } from '../scope.ts';

/** Something that happened, as the audit is to tell it. */
export interface Event {
  /** What: `documentModified`. */
  readonly eventId: string;
  /** Of what kind: what happens to documents when absent. */
  readonly category?: string;
  /** To which document, as it was then. */
  readonly document?: DocumentRow;
  readonly comment?: string | null | undefined;
  readonly extended?: Readonly<Record<string, unknown>>;
}

/** The category of what happens to documents. */
export const documentCategory = 'eventDocumentCategory';

/** Documents that only the server looks at leave no trace, unless their facets say that they do. */
export function isTraced(facets: readonly string[]): boolean {
  const isHidden = facets.includes('SystemDocument') || facets.includes('HiddenInNavigation');
  return !isHidden || facets.includes('ForceAudit');
}

/** Who does something, and what the audit must know of the server to tell it. */
export interface Doing extends Pick<Scope, 'model'> {
  readonly db: Pick<Client, 'query'>;
  readonly user: Pick<Principal, 'id'>;
  readonly options: Pick<RequestOptions, 'comment'> & Partial<Pick<RequestOptions, 'source'>>;
}

const isAudited = ({ model }: Pick<Doing, 'model'>, { document }: Event): boolean =>
  !document || isTraced(facetsOf(model, document));

/** A row of `log_entry`; those without a repository are of what happened in none. */
export interface Entry {
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

function entryOf({ user, options }: Doing, { document, comment, extended, ...event }: Event): Entry {
  return {
    repository: document?.repository ?? '',
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

/** The entries that a parameter brings as JSON. */
const given = (parameter: number): string => `
  jsonb_to_recordset($${parameter}::jsonb) AS e (
    repository text, event_id text, category text, principal_name text, comment text, doc_uuid uuid,
    doc_path text, doc_type text, doc_life_cycle text, event_date timestamptz, extended jsonb
  )`;

/** They are written now, not when the transaction began; never before what they tell of, should the database's clock lag. */
const insertInto = `INSERT INTO log_entry (${columns}, log_date)`;
const logDate = 'greatest(clock_timestamp(), e.event_date)';

const insert = (parameter: number): string =>
  `${insertInto} SELECT ${columns}, ${logDate} FROM ${given(parameter)}`;

/** Tells of each of some documents `told`, which have an `event_id`, what the entry of that event says of none. */
const insertEach = (parameter: number, told: string): string => `
  ${insertInto}
  SELECT $1, e.event_id, e.category, e.principal_name, e.comment, told.id, told.path, told.type, told.state,
    e.event_date, e.extended, ${logDate}
  FROM ${given(parameter)} JOIN (${told}) told ON told.event_id = e.event_id`;

const recordQuery: Query = { name: 'record', text: insert(1) };

/** Writes entries as they are. */
export const insertEntries = (db: Pick<Client, 'query'>, entries: readonly Entry[]): Promise<unknown> =>
  db.query(recordQuery, [JSON.stringify(entries)]);

/** Records events in a statement of its own, within the caller's transaction. */
export async function record(scope: Doing, events: readonly Event[]): Promise<void> {
  const entries = events.filter((event) => isAudited(scope, event)).map((event) => entryOf(scope, event));
  if (entries.length > 0) await insertEntries(scope.db, entries);
}

/** A write that leaves a trace. */
export interface RecordedQuery extends Query {
  /** The same write with the entries of the audit in the same statement, as one more parameter. */
  readonly recorded: Query;
}

/** How many there are, all of which are used. */
const parametersOf = ({ text }: Query): number =>
  Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));

/**
 * Lets a write leave its trace without a statement more.
 * @param query one INSERT, UPDATE or DELETE with RETURNING, whose parameters are all used; when it returns no row,
 * nothing has happened, and nothing is recorded.
 * @param shown what of the rows returned is answered: all of them, or the first.
 * @param beside a write of other rows that goes with it in the same statement, with the same parameters.
 */
export function recorded(query: Query, shown: 'all' | 'first' = 'all', beside?: string): RecordedQuery {
  const last = parametersOf(query);
  const besides = beside ? `besides AS (${beside}), ` : '';
  const text = `
    WITH ${besides}written AS (${query.text}), logged AS (${insert(last + 1)} WHERE EXISTS (SELECT FROM written))
    SELECT * FROM written${shown === 'first' ? ' LIMIT 1' : ''}`;
  const plain = beside ? `WITH ${besides}written AS (${query.text}) SELECT * FROM written` : query.text;
  return { name: query.name, text: plain, recorded: { name: `${query.name}-recorded`, text } };
}

/** Runs such a write; where none of the events is audited, without a trace. */
export async function write<Row>(
  scope: Scope,
  query: RecordedQuery,
  values: readonly unknown[],
  events: readonly Event[],
): Promise<Row[]> {
  const entries = events.filter((event) => isAudited(scope, event)).map((event) => entryOf(scope, event));
  if (entries.length === 0) return scope.db.query<Row>(query, values);
  return scope.db.query<Row>(query.recorded, [...values, JSON.stringify(entries)]);
}

/** A write of any number of documents that leaves a trace of each, without their being read; see `writeEach`. */
export interface EachRecordedQuery {
  readonly each: Query;
}

/**
 * Lets a write leave a trace of each document.
 * @param query as above; $1 is the repository.
 * @param told a SELECT of id, path, type, state and event_id of those of the rows `written` that leave one.
 * @param beside as above.
 */
export function recordedEach(query: Query, told: string, beside: string): EachRecordedQuery {
  const text = `
    WITH besides AS (${beside}), written AS (${query.text}), logged AS (${insertEach(parametersOf(query) + 1, told)})
    SELECT count(*)::int AS count FROM written`;
  return { each: { name: query.name, text } };
}

/** Runs such a write; the events are those that may befall documents, without them. */
export const writeEach = (
  scope: Scope,
  { each }: EachRecordedQuery,
  values: readonly unknown[],
  events: ReadonlyArray<Omit<Event, 'document'>>,
): Promise<unknown> =>
  scope.db.query(each, [...values, JSON.stringify(events.map((event) => entryOf(scope, event)))]);
