// These functions check no permissions. They serve the server's own work, such as imports.

import { modelColumns } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { DocumentNotFound } from '../../errors.ts';
import { type DocumentReference, referenceKey } from '../../model/document-reference.ts';
import type { RequestOptions, Scope } from '../../scope.ts';
import { byReference, queryByReference } from './by-reference.ts';
import { type DocumentRow, documentStatement } from './document-row.ts';

export type StoredChild = Pick<DocumentRow, 'id' | 'parentId' | 'name' | 'type' | 'facets' | 'title'>;

type ChildKey = Pick<StoredChild, 'parentId' | 'name'>;

const byName = statement(
  'children-by-name',
  modelColumns('Document', 'id', 'parentId', 'name', 'type', 'facets', 'title'),
)`
  SELECT d.id, d.parent_id AS "parentId", d.name, d.type, d.facets, d.title
  FROM unnest($2::uuid[], $3::text[]) AS wanted (parent_id, name)
  JOIN document d ON d.repository = $1 AND d.parent_id = wanted.parent_id AND d.name = wanted.name`;

/** Finds many children by their parents and names, and returns a function that looks one up. */
export async function childrenByName(
  client: Client,
  repository: string,
  keys: readonly ChildKey[],
): Promise<(key: ChildKey) => StoredChild | undefined> {
  const parents = keys.map(({ parentId }) => parentId);
  const names = keys.map(({ name }) => name);
  const rows = keys.length > 0 ? await client.query(byName, [repository, parents, names]) : [];
  const textOf = ({ parentId, name }: ChildKey): string => `${parentId}/${name}`;
  const found = new Map(rows.map((row) => [textOf(row), row]));
  return (key) => found.get(textOf(key));
}

const queries = byReference((by, condition) =>
  documentStatement(`find-${by}`, `WHERE d.repository = $1 AND ${condition('d')}`),
);

/** Reads a document by id or path, without a permission check. @throws NotFound */
export async function findDocument(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const [row] = await queryByReference(scope, queries, reference);
  if (!row) throw new DocumentNotFound(referenceKey(reference).value);
  return row;
}

/** Reads the document at a path, without a permission check. */
export async function documentAtPath(
  { db, options }: { db: Pick<Client, 'query'>; options: Pick<RequestOptions, 'repository'> },
  path: string,
): Promise<DocumentRow | undefined> {
  return (await db.query(queries.path, [options.repository, path]))[0];
}
