import type DataLoader from 'dataloader';
import { Forbidden } from '../../errors.ts';
import { isPossibleKey } from '../../model/names.ts';
import type { Scope } from '../../scope.ts';
import { type Access, notGranted, readPermissionFor } from '../acls/access.ts';
import { batchLoader, quickForFewKeys, uuidBatchLoader, validKeyBatchLoader } from '../batch.ts';
import {
  type DocumentRow,
  documentColumnsWithoutLarge,
  documentJsonStatement,
  queryJsonDocuments,
  readLargeProperties,
} from './document-row.ts';

/**
 * Returns a function that reads documents by their keys. A single key is by far the most frequent case and has a
 * separate statement, because PostgreSQL plans and runs an equality comparison faster than an array of one element.
 * Large properties are read separately, because they would delay quick statements of other users on the same
 * connection.
 * @param one the condition for a single key, `$2`
 * @param many the condition for an array of keys, `$2`
 */
function finder(name: string, one: string, many: string) {
  const quick = (named: string, condition: string) =>
    quickForFewKeys(
      documentJsonStatement(named, `WHERE d.repository = $1 AND ${condition}`, documentColumnsWithoutLarge),
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

/**
 * Returns a function that passes on a readable document and replaces any other document with a Forbidden error.
 * Administrators need no check, except in a trial (a request with `Prefer: explain`), which records the checks.
 */
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

/**
 * Returns a loader for documents by id. The loader rejects with Forbidden for an unreadable document, and returns
 * `null` for a string that is not a UUID.
 */
export function documentById(scope: Scope, access: Access): DocumentLoader {
  return uuidBatchLoader((ids) => findById(scope, ids), readable(scope, access));
}

/**
 * Returns a loader for documents by path; versions are not found. The loader rejects with Forbidden for an unreadable
 * document.
 */
export function documentByPath(scope: Scope, access: Access): DocumentLoader {
  return validKeyBatchLoader(
    isPossibleKey,
    (paths) => findByPath(scope, paths),
    ({ path }) => path,
    readable(scope, access, { isByPath: true }),
  );
}

/**
 * Adds documents from a list, which are known to be readable, to the loader's cache, so that they are not read again.
 */
export function primeDocuments(
  documents: DocumentLoader,
  found: readonly DocumentRow[],
): readonly DocumentRow[] {
  for (const row of found) documents.prime(row.id, row);
  return found;
}

/** Loads the documents that exist and that the caller can read, in the order of the ids. */
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

/**
 * Returns a loader for change tokens by document id. No permissions are checked, because a token reveals no content.
 */
export const changeTokensById = ({ db, options }: Scope): DataLoader<string, Tokens | null> =>
  batchLoader(
    (ids) =>
      db.prisma.document.findMany({
        where: { repository: options.repository, id: { in: [...ids] } },
        select: { id: true, systemToken: true, userToken: true },
      }),
    ({ id }) => id,
  );
