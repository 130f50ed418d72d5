import { typesWithFacet } from '../../model/facets-of.ts';
import { ascending } from '../../query/order-sql.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import type { ListPageArguments } from '../lists/list-definition.ts';
import { defineList } from '../lists/list-loader.ts';
import type { PageResult } from '../lists/page-loader.ts';

const collectionsByTitle = defineList<{ types: readonly string[]; prefix: string }, DocumentRow>({
  name: 'find-collections',
  from: 'document d',
  where: 'd.repository = $1 AND NOT d.is_version AND NOT d.is_proxy AND NOT d.is_trashed',
  order: [ascending('lower(d.title)', 'text')],
  tieBreak: ascending('d.id', 'uuid'),
  hasReadableOnly: true,
  filters: {
    types: (types) => `d.type = ANY(${types}::text[])`,
    // A range is used rather than LIKE, because it lets PostgreSQL use the index for any prefix passed as a parameter.
    prefix: (prefix) => `lower(d.title) ~>=~ lower(${prefix}::text)
      AND lower(d.title) ~<~ (lower(${prefix}::text) || chr(1114111))`,
  },
});

interface CollectionSearchOptions extends Pick<ListPageArguments, 'pageSize' | 'offset' | 'cursor'> {
  /** The beginning of the title, ignoring case. */
  readonly prefix: string;
}

/** Finds readable collections, except favorites, ordered by title. */
export function findCollections(
  scope: Scope,
  access: Access,
): (options: CollectionSearchOptions) => Promise<PageResult<DocumentRow>> {
  const types = typesWithFacet(scope.services.model, 'Collection').filter((type) => type !== 'Favorites');
  const load = collectionsByTitle(scope, access);
  return ({ prefix, ...page }) => load({ types, prefix }, page);
}
