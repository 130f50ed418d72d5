import type DataLoader from 'dataloader';
import type { Query } from '../db/database.ts';
import type { Scope } from '../scope.ts';
import { requireSight } from '../security/documents.ts';
import { byKey } from './batch.ts';
import { type DocumentRow, documentQuery, isUuid } from './document-row.ts';

// One key is by far the most frequent case, and an equality is planned and run faster than a list of one.
const quick = (name: string, condition: string): Query => ({
  ...documentQuery(name, condition),
  isQuick: true,
});
const byId = quick('document-by-id', 'WHERE d.repository = $1 AND d.id = $2::uuid');
const byIds = documentQuery('documents-by-id', 'WHERE d.repository = $1 AND d.id = ANY($2::uuid[])');
const byPath = quick('document-by-path', 'WHERE d.repository = $1 AND d.path = $2 AND NOT d.is_version');
const byPaths = documentQuery(
  'documents-by-path',
  'WHERE d.repository = $1 AND d.path = ANY($2::text[]) AND NOT d.is_version',
);

/** Documents of the request's repository by id; what is no UUID is not found. */
export function documentById({ db, options, user }: Scope): DataLoader<string, DocumentRow | null> {
  return byKey(
    async (ids) => {
      requireSight(user);
      const known = ids.filter(isUuid);
      if (known.length === 0) return [];
      return known.length === 1
        ? db.query<DocumentRow>(byId, [options.repository, known[0]])
        : db.query<DocumentRow>(byIds, [options.repository, known]);
    },
    ({ id }) => id,
  );
}

/** Live documents of the request's repository by path. */
export function documentByPath({ db, options, user }: Scope): DataLoader<string, DocumentRow | null> {
  return byKey(
    async (paths) => {
      requireSight(user);
      const known = paths.filter((path) => !path.includes('\0')); // PostgreSQL has no text with NUL
      if (known.length === 0) return [];
      return known.length === 1
        ? db.query<DocumentRow>(byPath, [options.repository, known[0]])
        : db.query<DocumentRow>(byPaths, [options.repository, known]);
    },
    ({ path }) => path,
  );
}
