import { NIL } from 'uuid';
import { modelColumns, type RowWith, typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { type Statement, statement } from '../../db/statement.ts';
import type { Document } from '../../generated/prisma/client.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import type { RequestOptions } from '../../scope.ts';

export type DocumentRow = Omit<Document, 'properties'> & { properties: StoredProperties };

export interface DocumentListShape {
  readonly entries: readonly DocumentRow[];
  /** The full count, when the list was cut. */
  readonly resultsCount?: number;
  /** Up to which they were counted, when there are more. */
  readonly countLimit?: number | undefined;
}

/** Columns and types by the names of Prisma's model; a test compares the two. */
export const documentColumnDefinitions = {
  repository: { column: 'repository', type: 'text' },
  id: { column: 'id', type: 'uuid' },
  parentId: { column: 'parent_id', type: 'uuid' },
  ancestorIds: { column: 'ancestor_ids', type: 'uuid[]' },
  name: { column: 'name', type: 'text' },
  path: { column: 'path', type: 'text' },
  type: { column: 'type', type: 'text' },
  facets: { column: 'facets', type: 'text[]' },
  title: { column: 'title', type: 'text' },
  state: { column: 'state', type: 'text' },
  majorVersion: { column: 'major_version', type: 'int' },
  minorVersion: { column: 'minor_version', type: 'int' },
  isCheckedOut: { column: 'is_checked_out', type: 'boolean' },
  isVersion: { column: 'is_version', type: 'boolean' },
  isProxy: { column: 'is_proxy', type: 'boolean' },
  isTrashed: { column: 'is_trashed', type: 'boolean' },
  liveId: { column: 'live_id', type: 'uuid' },
  targetId: { column: 'target_id', type: 'uuid' },
  baseVersionId: { column: 'base_version_id', type: 'uuid' },
  isLatestVersion: { column: 'is_latest_version', type: 'boolean' },
  isLatestMajorVersion: { column: 'is_latest_major_version', type: 'boolean' },
  versionCreated: { column: 'version_created', type: 'timestamptz' },
  versionComment: { column: 'version_comment', type: 'text' },
  lockOwner: { column: 'lock_owner', type: 'text' },
  lockCreated: { column: 'lock_created', type: 'timestamptz' },
  isRecord: { column: 'is_record', type: 'boolean' },
  retainUntil: { column: 'retain_until', type: 'timestamptz' },
  hasLegalHold: { column: 'has_legal_hold', type: 'boolean' },
  position: { column: 'position', type: 'int' },
  systemToken: { column: 'system_token', type: 'int' },
  userToken: { column: 'user_token', type: 'int' },
  aclId: { column: 'acl_id', type: 'uuid' },
  properties: { column: 'properties', type: 'jsonb' },
} as const satisfies Record<keyof DocumentRow, { column: string; type: string }>;

/** The columns of `documentColumns`. */
export const documentRow = {
  ...modelColumns('Document', ...(Object.keys(documentColumnDefinitions) as Array<keyof DocumentRow>)),
  properties: typed<StoredProperties>('jsonb'),
};

export const documentColumns = Object.entries(documentColumnDefinitions)
  .map(([field, { column }]) => `d.${column} AS "${field}"`)
  .join(', ');

/**
 * Bytes of stored properties above which they are read by a statement of their own, where a document is read by a
 * statement that shares its connection with those of other users, or with many others.
 */
const propertiesApart = 4_000;

/**
 * The same columns, but of a document with large properties the number of bytes that they are stored in, instead of
 * them: see `readLargeProperties`.
 */
export const documentColumnsApart = documentColumns.replace(
  'd.properties AS',
  `CASE WHEN pg_column_size(d.properties) > ${propertiesApart} THEN to_jsonb(pg_column_size(d.properties))
    ELSE d.properties END AS`,
);

/**
 * Bytes of stored properties above which a page reads only those that its answer shows. PostgreSQL compresses values of
 * more than 2 kB, up to a hundredfold; it knows the compressed size without reading them.
 */
const largeProperties = 2_000;

/**
 * The same columns; of a document with large properties, only the properties of some schemas.
 * @param prefixes SQL, the prefixes of these schemas
 */
export const documentColumnsShowing = (prefixes: string): string =>
  documentColumns.replace(
    'd.properties AS',
    `CASE WHEN pg_column_size(d.properties) > ${largeProperties} THEN (
      SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(d.properties)
      WHERE split_part(key, ':', 1) = ANY(${prefixes}::text[])
    ) ELSE d.properties END AS`,
  );

/**
 * Reads whole rows of `document d`; SQL, since these reads are hot and take twice as long by Prisma Client.
 */
export const documentStatement = (name: string, rest: string): Statement<DocumentRow> => statement(
  name,
  documentRow,
)`
  SELECT ${documentColumns} FROM document d ${rest}`;

/** A document as one JSON value, whose dates are texts until `reviveDates`. */
export const jsonDocument = { row: typed<DocumentRow>('json') };
type JsonDocument = RowWith<typeof jsonDocument>;

/**
 * Reads each row of `document d` as one JSON value: the protocol describes thirty columns in every result,
 * which costs more than everything else about reading one row.
 */
export const documentJsonStatement = (
  name: string,
  rest: string,
  columns = documentColumns,
): Statement<JsonDocument> => statement(name, jsonDocument)`
  SELECT row_to_json(r) AS row FROM document d CROSS JOIN LATERAL (SELECT ${columns}) r ${rest}`;

/** Columns of a type that JSON lacks. */
const moments = ['versionCreated', 'lockCreated', 'retainUntil'] as const satisfies ReadonlyArray<
  keyof DocumentRow
>;

export function reviveDates(row: DocumentRow): DocumentRow {
  for (const field of moments) if (row[field] !== null) row[field] = new Date(row[field]);
  return row;
}

export async function queryJsonDocuments(
  db: Pick<Client, 'query'>,
  query: Statement<JsonDocument>,
  values: readonly unknown[],
): Promise<DocumentRow[]> {
  const found = await db.query(query, values);
  return found.map(({ row }) => reviveDates(row));
}

const largeQuery = documentJsonStatement(
  'large-documents',
  'WHERE d.repository = $1 AND d.id = ANY($2::uuid[])',
);

/** Stored bytes of all properties of one statement above which it waits for its turn before it is sent. */
const largeInAll = 50_000;

/**
 * Completes rows with `documentColumnsApart`: those of documents with large properties are read anew, by one statement
 * for all, so that they are as the document is by then.
 * @returns the documents that exist still
 */
export async function readLargeProperties<Row extends DocumentRow>(
  {
    db,
    options,
  }: { readonly db: Pick<Client, 'query'>; readonly options: Pick<RequestOptions, 'repository'> },
  rows: readonly Row[],
): Promise<readonly Row[]> {
  const bytesOf = ({ properties }: { readonly properties: unknown }): number =>
    typeof properties === 'number' ? properties : 0;
  const large = rows.filter((row) => bytesOf(row) > 0);
  if (large.length === 0) return rows;
  const isLarge = large.reduce((sum, row) => sum + bytesOf(row), 0) > largeInAll || undefined;
  const ids = [...new Set(large.map(({ id }) => id))];
  const values = [options.repository, ids];
  const found = await queryJsonDocuments(db, { ...largeQuery, isLarge }, values);
  const byId = new Map(found.map((row) => [row.id, row]));
  return rows.filter((row) => {
    if (bytesOf(row) === 0) return true;
    const whole = byId.get(row.id);
    if (whole) Object.assign(row, whole);
    return whole !== undefined;
  });
}

/** Not so of what a new child begins with (§4.1), to which no address leads. */
export const isStored = ({ id }: Pick<DocumentRow, 'id'>): boolean => id !== NIL;

/** Whether it is neither changed nor deleted at present (§3). */
export const isRetained = ({
  retainUntil,
  hasLegalHold,
}: Pick<DocumentRow, 'retainUntil' | 'hasLegalHold'>): boolean =>
  hasLegalHold || (retainUntil !== null && retainUntil.getTime() > Date.now());

/** The live document of a version or proxy; any other document is its own (§11). */
export const liveIdOf = ({ id, liveId }: Pick<DocumentRow, 'id' | 'liveId'>): string => liveId ?? id;

/**
 * For example `1.0`; a checked-out document has a `+` appended, one that never had a version an empty label
 * (§11).
 */
export function versionLabel(
  row: Pick<DocumentRow, 'majorVersion' | 'minorVersion' | 'isCheckedOut' | 'liveId' | 'baseVersionId'>,
): string {
  if (row.liveId === null && row.baseVersionId === null) return '';
  return `${row.majorVersion}.${row.minorVersion}${row.isCheckedOut ? '+' : ''}`;
}

/** Two counters: changes by the server, then changes by users. */
export const changeToken = ({
  systemToken,
  userToken,
}: Pick<DocumentRow, 'systemToken' | 'userToken'>): string => `${systemToken}-${userToken}`;
