import type { Client, Query } from '../db/database.ts';
import type { Document } from '../generated/prisma/client.ts';
import type { StoredProperties } from '../model/stored.ts';

/** A row of the table `document`, whether Prisma or a hot read brought it. */
export type DocumentRow = Omit<Document, 'properties'> & { properties: StoredProperties };

/** Documents that are no page of a longer list. */
export interface DocumentList {
  readonly entries: readonly DocumentRow[];
  /** How many there are, when these are only the first of them. */
  readonly resultsCount?: number;
}

/** The columns of `document` and their types, by the names that Prisma's model gives them; a test compares the two. */
export const columns = {
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
  position: { column: 'position', type: 'int' },
  systemToken: { column: 'system_token', type: 'int' },
  userToken: { column: 'user_token', type: 'int' },
  aclId: { column: 'acl_id', type: 'uuid' },
  properties: { column: 'properties', type: 'jsonb' },
} as const satisfies Record<keyof DocumentRow, { column: string; type: string }>;

/** All of them as a SELECT of `document d` names them. */
export const documentColumns = Object.entries(columns)
  .map(([field, { column }]) => `d.${column} AS "${field}"`)
  .join(', ');

/** A named statement that reads whole rows of `document`, called `d` in its condition. */
export const documentQuery = (name: string, rest: string): Query => ({
  name,
  text: `SELECT ${documentColumns} FROM document d ${rest}`,
});

/**
 * A named statement for `readByKey`: whole rows of `document d`, each as one JSON value. Of thirty columns every answer
 * describes each anew, which costs more than all else that reading one row does.
 */
export const keyQuery = (name: string, rest: string): Query => ({
  name,
  text: `SELECT row_to_json(r) AS row FROM document d CROSS JOIN LATERAL (SELECT ${documentColumns}) r ${rest}`,
});

/** What JSON has no type for. */
const moments = ['versionCreated', 'lockCreated'] as const satisfies ReadonlyArray<keyof DocumentRow>;

/** A row that came as JSON, with what that has no type for. */
export function readJson(row: DocumentRow): DocumentRow {
  for (const field of moments) if (row[field] !== null) row[field] = new Date(row[field]);
  return row;
}

/** The rows that a `keyQuery` finds. */
export async function readByKey(
  db: Pick<Client, 'query'>,
  query: Query,
  values: readonly unknown[],
): Promise<DocumentRow[]> {
  const found = await db.query<{ row: DocumentRow }>(query, values);
  return found.map(({ row }) => readJson(row));
}

/** The document that a version or a proxy shows a state of; another document is its own (§11). */
export const liveIdOf = ({ id, liveId }: Pick<DocumentRow, 'id' | 'liveId'>): string => liveId ?? id;

/**
 * The label of a version, or of the document that it was made of, which has a `+` once it may have changed since (§11);
 * empty where there never was a version.
 */
export function versionLabel(
  row: Pick<DocumentRow, 'majorVersion' | 'minorVersion' | 'isCheckedOut' | 'liveId' | 'baseVersionId'>,
): string {
  if (row.liveId === null && row.baseVersionId === null) return '';
  return `${row.majorVersion}.${row.minorVersion}${row.isCheckedOut ? '+' : ''}`;
}

/** The version of a row that clients see: the server's half, then the user's. */
export const changeToken = ({
  systemToken,
  userToken,
}: Pick<DocumentRow, 'systemToken' | 'userToken'>): string => `${systemToken}-${userToken}`;
