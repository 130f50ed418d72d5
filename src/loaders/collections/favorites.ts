import { statement } from '../../db/statement.ts';
import { favoritesPath } from '../../model/user-workspaces.ts';
import type { Scope } from '../../scope.ts';
import { existenceLoader, quickForFewKeys } from '../batch.ts';

const favoritesQuery = quickForFewKeys(statement('favorites', { id: 'uuid' })`
  SELECT m.member_id AS id FROM document f
  JOIN collection_member m ON m.repository = f.repository AND m.collection_id = f.id
  WHERE f.repository = $1 AND f.path = $2 AND f.type = 'Favorites' AND NOT f.is_version
    AND m.member_id = ANY($3::uuid[])`);

/** Returns a loader that tells whether a document is one of the caller's favorites. */
export function isFavorite({ db, options, user }: Scope): (document: string) => Promise<boolean> {
  const loader = existenceLoader<string, { id: string }>(
    (ids) => db.query(favoritesQuery(ids), [options.repository, favoritesPath(user.id), ids]),
    ({ id }) => id,
  );
  return (document) => loader.load(document);
}
