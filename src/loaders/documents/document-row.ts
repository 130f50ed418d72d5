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
  /** The total number of results, if the list was truncated. */
  readonly resultsCount?: number;
  /** The limit at which counting stopped; set only if there are more results than that. */
  readonly countLimit?: number | undefined;
}

/** The columns and their types, by the field names of Prisma's model. A test compares them with the model. */
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

/** The types of the columns in `documentColumns`. */
export const documentRow = {
  ...modelColumns('Document', ...(Object.keys(documentColumnDefinitions) as Array<keyof DocumentRow>)),
  properties: typed<StoredProperties>('jsonb'),
};

export const documentColumns = Object.entries(documentColumnDefinitions)
  .map(([field, { column }]) => `d.${column} AS "${field}"`)
  .join(', ');

/**
 * The size of stored properties, in bytes, above which they are read with a separate statement. Quick statements share
 * their connections with those of other users, which a large row would delay.
 */
const maxInlineProperties = 4_000;

/**
 * Like `documentColumns`, except that large properties are replaced with their size in bytes. Rows that are read with
 * these columns must be completed by `readLargeProperties`.
 */
export const documentColumnsWithoutLarge = documentColumns.replace(
  'd.properties AS',
  `CASE WHEN pg_column_size(d.properties) > ${maxInlineProperties} THEN to_jsonb(pg_column_size(d.properties))
    ELSE d.properties END AS`,
);

/**
 * The size of stored properties, in bytes, above which a page reads only the properties that its response shows.
 * PostgreSQL compresses values of more than 2 kB, up to a hundredfold, and knows the compressed size without reading
 * the value.
 */
const maxUnfilteredProperties = 2_000;

/**
 * Like `documentColumns`, except that only the properties of certain schemas are read if the properties are large.
 * @param prefixes an SQL expression that contains the prefixes of these schemas
 */
export const documentColumnsShowing = (prefixes: string): string =>
  documentColumns.replace(
    'd.properties AS',
    `CASE WHEN pg_column_size(d.properties) > ${maxUnfilteredProperties} THEN (
      SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(d.properties)
      WHERE split_part(key, ':', 1) = ANY(${prefixes}::text[])
    ) ELSE d.properties END AS`,
  );

/**
 * A statement that reads whole rows of `document d`. These reads are frequent and take twice as long with Prisma
 * Client.
 */
export const documentStatement = (name: string, rest: string): Statement<DocumentRow> => statement(
  name,
  documentRow,
)`
  SELECT ${documentColumns} FROM document d ${rest}`;

/** A result row that contains a document as one JSON value. Its dates are strings until `reviveDates` converts them. */
export const jsonDocument = { row: typed<DocumentRow>('json') };
type JsonDocument = RowWith<typeof jsonDocument>;

/**
 * A statement that reads each row of `document d` as one JSON value. PostgreSQL's protocol describes all columns in
 * every result, and describing thirty columns costs more than everything else that reading one row involves.
 */
export const documentJsonStatement = (
  name: string,
  rest: string,
  columns = documentColumns,
): Statement<JsonDocument> => statement(name, jsonDocument)`
  SELECT row_to_json(r) AS row FROM document d CROSS JOIN LATERAL (SELECT ${columns}) r ${rest}`;

/** The fields that contain dates, which JSON represents as strings. */
const dateFields = ['versionCreated', 'lockCreated', 'retainUntil'] as const satisfies ReadonlyArray<
  keyof DocumentRow
>;

export function reviveDates(row: DocumentRow): DocumentRow {
  for (const field of dateFields) if (row[field] !== null) row[field] = new Date(row[field]);
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

/** The total size of properties, in bytes, above which the statement that reads them waits for its turn. */
const maxUnqueuedBytes = 50_000;

/**
 * Completes rows that were read with `documentColumnsWithoutLarge`. One statement reads the documents with large
 * properties again as whole rows, so that their properties match their other fields even if the documents have just
 * been changed.
 * @returns the rows, omitting documents that have just been deleted
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
  const isLarge = large.reduce((sum, row) => sum + bytesOf(row), 0) > maxUnqueuedBytes || undefined;
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

/** Whether the document is in the database. The template for a new child (§4.1) is not, and has no URL. */
export const isStored = ({ id }: Pick<DocumentRow, 'id'>): boolean => id !== NIL;

/** Whether a retention period or a legal hold currently protects the document from changes and deletion (§3). */
export const isRetained = ({
  retainUntil,
  hasLegalHold,
}: Pick<DocumentRow, 'retainUntil' | 'hasLegalHold'>): boolean =>
  hasLegalHold || (retainUntil !== null && retainUntil.getTime() > Date.now());

/** The id of the live document that a version or proxy belongs to; for any other document, its own id (§11). */
export const liveIdOf = ({ id, liveId }: Pick<DocumentRow, 'id' | 'liveId'>): string => liveId ?? id;

/**
 * The version label of a document (§11), such as `1.0`, with a `+` appended if the document is checked out. It is empty
 * for a document that has never had a version.
 */
export function versionLabel(
  row: Pick<DocumentRow, 'majorVersion' | 'minorVersion' | 'isCheckedOut' | 'liveId' | 'baseVersionId'>,
): string {
  if (row.liveId === null && row.baseVersionId === null) return '';
  return `${row.majorVersion}.${row.minorVersion}${row.isCheckedOut ? '+' : ''}`;
}

/** The change token: the number of changes made by the server, a hyphen, and the number of changes made by users. */
export const changeToken = ({
  systemToken,
  userToken,
}: Pick<DocumentRow, 'systemToken' | 'userToken'>): string => `${systemToken}-${userToken}`;
