// Functions that do not check permissions, for the server's own work, such as imports.

import { modelColumns } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { DocumentNotFound } from '../../errors.ts';
import { type DocumentReference, referenceKey } from '../../model/document-reference.ts';
import { isUuid } from '../../model/names.ts';
import type { RequestOptions, Scope } from '../../scope.ts';
import type { DocumentRow } from './document-row.ts';

export type StoredChild = Pick<DocumentRow, 'id' | 'parentId' | 'name' | 'type' | 'facets' | 'title'>;

type ChildKey = Pick<StoredChild, 'parentId' | 'name'>;

const byName = statement(
  'children-by-name',
  modelColumns('Document', 'id', 'parentId', 'name', 'type', 'facets', 'title'),
)`
  SELECT d.id, d.parent_id AS "parentId", d.name, d.type, d.facets, d.title
  FROM unnest($2::uuid[], $3::text[]) AS requested (parent_id, name)
  JOIN document d ON d.repository = $1 AND d.parent_id = requested.parent_id AND d.name = requested.name`;

/**
 * Finds many children by their parents and names.
 * @returns a function that looks up one of the children that were found
 */
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

interface Reader {
  readonly db: Pick<Client, 'prisma'>;
  readonly options: Pick<RequestOptions, 'repository'>;
}

const findBy = (
  { db, options: { repository } }: Reader,
  where: { readonly id: string } | { readonly path: string; readonly isVersion: false },
): Promise<DocumentRow | null> =>
  db.prisma.document.findFirst({ where: { repository, ...where } }) as Promise<DocumentRow | null>;

/**
 * Reads a document by id or path, without checking permissions.
 * @throws NotFound
 */
export async function findDocument(scope: Scope, reference: DocumentReference): Promise<DocumentRow> {
  const { by, value } = referenceKey(reference);
  const row =
    by === 'path'
      ? await documentAtPath(scope, value)
      : isUuid(value) && (await findBy(scope, { id: value }));
  if (!row) throw new DocumentNotFound(referenceKey(reference).value);
  return row;
}

/** Reads the document at a path, without checking permissions. */
export async function documentAtPath(reader: Reader, path: string): Promise<DocumentRow | undefined> {
  const isPossible = !path.includes('\0'); // PostgreSQL cannot store NUL characters in strings
  return (isPossible && (await findBy(reader, { path, isVersion: false }))) || undefined;
}
