import type DataLoader from 'dataloader';
import { Forbidden } from '../../errors.ts';
import type { Scope } from '../../scope.ts';
import { type Access, notGranted, readPermissionFor } from '../acls/access.ts';
import { batchLoader, quickForFewKeys, uuidBatchLoader, validKeyBatchLoader } from '../batch.ts';
import {
  type DocumentRow,
  documentColumnsApart,
  documentJsonStatement,
  queryJsonDocuments,
  readLargeProperties,
} from './document-row.ts';

/**
 * One key is by far the most frequent case, and an equality is planned and run faster than a list of one. Large
 * properties would delay what other users read over the same connection.
 */
function finder(name: string, one: string, many: string) {
  const quick = (named: string, condition: string) =>
    quickForFewKeys(
      documentJsonStatement(named, `WHERE d.repository = $1 AND ${condition}`, documentColumnsApart),
    );
  const [byOne, byMany] = [quick(name, one), quick(`${name}s`, many)];
  return async (scope: Scope, keys: readonly string[]): Promise<readonly DocumentRow[]> => {
    const { db, options } = scope;
    const found = await (keys.length === 1
      ? queryJsonDocuments(db, byOne(keys), [options.repository, keys[0]])
      : queryJsonDocuments(db, byMany(keys), [options.repository, keys]));
    return readLargeProperties(scope, found);
  };
}

const findById = finder('document-by-id', 'd.id = $2::uuid', 'd.id = ANY($2::uuid[])');
const findByPath = finder(
  'document-by-path',
  'd.path = $2 AND NOT d.is_version',
  'd.path = ANY($2::text[]) AND NOT d.is_version',
);

export type DocumentLoader = DataLoader<string, DocumentRow | null>;

/** Administrators need no evaluation, unless it is noted. @throws Forbidden for unreadable documents. */
function readable(
  { user, trial }: Scope,
  access: Access,
  { isByPath = false } = {},
): ((row: DocumentRow) => Promise<DocumentRow | Error>) | undefined {
  if (user.isAdministrator && !trial) return undefined;
  return async (row) => {
    const permission = readPermissionFor(row);
    if (await access.may(row, permission)) return row;
    return notGranted({ user }, permission, { id: row.id, ...(isByPath && { path: row.path }) });
  };
}

/** Unreadable documents are Forbidden; an id that is no UUID is not found. */
export function documentById(scope: Scope, access: Access): DocumentLoader {
  return uuidBatchLoader((ids) => findById(scope, ids), readable(scope, access));
}

/** Live documents; unreadable ones are Forbidden. */
export function documentByPath(scope: Scope, access: Access): DocumentLoader {
  return validKeyBatchLoader(
    (path) => !path.includes('\0'), // PostgreSQL has no text with NUL
    (paths) => findByPath(scope, paths),
    ({ path }) => path,
    readable(scope, access, { isByPath: true }),
  );
}

/** Saves a second read of documents that a list has found readable. */
export function primeDocuments(
  documents: DocumentLoader,
  found: readonly DocumentRow[],
): readonly DocumentRow[] {
  for (const row of found) documents.prime(row.id, row);
  return found;
}

/** The existing and readable documents among the ids, in their order. */
export async function loadReadable(
  documents: DocumentLoader,
  ids: readonly string[],
): Promise<DocumentRow[]> {
  const found = await documents.loadMany(ids);
  return found.filter((row): row is DocumentRow => {
    if (row instanceof Error && !(row instanceof Forbidden)) throw row;
    return row !== null && !(row instanceof Error);
  });
}

type Tokens = Pick<DocumentRow, 'id' | 'systemToken' | 'userToken'>;

/** Without a check of permissions: a change token reveals nothing about the content. */
export const changeTokensById = ({ db, options }: Scope): DataLoader<string, Tokens | null> =>
  batchLoader(
    (ids) =>
      db.prisma.document.findMany({
        where: { repository: options.repository, id: { in: [...ids] } },
        select: { id: true, systemToken: true, userToken: true },
      }),
    ({ id }) => id,
  );
