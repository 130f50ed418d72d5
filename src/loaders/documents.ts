import type DataLoader from 'dataloader';
import type { Query } from '../db/database.ts';
import { quickForFew } from '../db/quick.ts';
import { Forbidden } from '../errors.ts';
import { isUuid } from '../model/names.ts';
import type { Scope } from '../scope.ts';
import { type Access, notGranted, toRead } from './access.ts';
import { byKey, byPossibleKey } from './batch.ts';
import { type DocumentRow, keyQuery, readByKey } from './document-row.ts';

/**
 * Finds rows by keys. One key is by far the most frequent case, and an equality is planned and run faster than a list of
 * one.
 */
function finder(name: string, one: string, many: string) {
  const byOne = quickForFew(keyQuery(name, `WHERE d.repository = $1 AND ${one}`));
  const byMany = quickForFew(keyQuery(`${name}s`, `WHERE d.repository = $1 AND ${many}`));
  return async ({ db, options }: Scope, keys: readonly string[]): Promise<DocumentRow[]> => {
    return keys.length === 1
      ? readByKey(db, byOne(keys), [options.repository, keys[0]])
      : readByKey(db, byMany(keys), [options.repository, keys]);
  };
}

const findById = finder('document-by-id', 'd.id = $2::uuid', 'd.id = ANY($2::uuid[])');
const findByPath = finder(
  'document-by-path',
  'd.path = $2 AND NOT d.is_version',
  'd.path = ANY($2::text[]) AND NOT d.is_version',
);

type Documents = DataLoader<string, DocumentRow | null>;

/** Refuses what the caller may not read; administrators are never refused, nor asked about. */
function readable(
  { user }: Scope,
  access: Access,
): ((row: DocumentRow) => Promise<DocumentRow | Error>) | undefined {
  if (user.isAdministrator) return undefined;
  return async (row) => {
    const permission = toRead(row);
    return (await access.may(row.aclId, permission)) ? row : notGranted({ user }, permission);
  };
}

/** Documents by id that the caller may read; others are Forbidden. What is no UUID is not found. */
export function documentById(scope: Scope, access: Access): Documents {
  return byPossibleKey(
    isUuid,
    (ids) => findById(scope, ids),
    ({ id }) => id,
    readable(scope, access),
  );
}

/** Live documents by path that the caller may read; others are Forbidden. */
export function documentByPath(scope: Scope, access: Access): Documents {
  return byPossibleKey(
    (path) => !path.includes('\0'), // PostgreSQL has no text with NUL
    (paths) => findByPath(scope, paths),
    ({ path }) => path,
    readable(scope, access),
  );
}

/** Documents that were found otherwise and that the caller may read: they need not be looked for by their ids. */
export function knownFromNow(documents: Documents, found: readonly DocumentRow[]): readonly DocumentRow[] {
  for (const row of found) documents.prime(row.id, row);
  return found;
}

/** Those of some documents that exist and that the caller may read, in the order of their ids. */
export async function readableOf(documents: Documents, ids: readonly string[]): Promise<DocumentRow[]> {
  const found = await documents.loadMany(ids);
  return found.filter((row): row is DocumentRow => {
    if (row instanceof Error && !(row instanceof Forbidden)) throw row;
    return row !== null && !(row instanceof Error);
  });
}

const tokensQuery: Query = {
  name: 'change-tokens',
  text: `
    SELECT d.id, d.system_token AS "systemToken", d.user_token AS "userToken"
    FROM document d WHERE d.repository = $1 AND d.id = ANY($2::uuid[])`,
};

type Tokens = Pick<DocumentRow, 'id' | 'systemToken' | 'userToken'>;

/** What change tokens are made of, by the id of a document, whoever asks: nothing that it holds follows from them. */
export const tokensById = ({ db, options }: Scope): DataLoader<string, Tokens | null> =>
  byKey(
    (ids) => db.query<Tokens>(tokensQuery, [options.repository, ids]),
    ({ id }) => id,
  );
