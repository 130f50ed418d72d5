import { hash } from 'node:crypto';
import type { Query, Sort } from '../../query/ast.ts';
import type { Scope } from '../../scope.ts';
import type { ReadableAcls } from '../acls/few-acls.ts';
import type { PositionKeys } from '../lists/list-cursor.ts';
import type { SearchState } from './exceeded-counts.ts';
import { cachePerIndex, maxKeyLength, searchKeys } from './index-caches.ts';

/** The position of a document in the result of a search, along with the number of documents up to and including it. */
export interface FoundPosition {
  readonly nth: number;
  readonly keys: PositionKeys;
}

interface OrderedSearch {
  readonly query: Query;
  readonly order: readonly Sort[];
  /**
   * The ACLs that allow the caller to read documents. When an ACE takes effect or expires, documents with its ACL
   * appear or disappear, which shifts the positions of later documents.
   */
  readonly acls: ReadableAcls | undefined;
}

/** The known positions for a search and an order. */
interface Positions {
  /**
   * The number of changes that had been indexed when the page was read; the positions are valid as long as this number
   * remains the same.
   */
  readonly changes: number;
  readonly found: Map<number, PositionKeys>;
}

/** The maximum number of positions for a search and an order; clients usually continue at the last position. */
const maxPositions = 20;

/** The maximum number of characters in the keys of a position. It bounds the memory that the cache uses. */
const maxPositionLength = 400;

const caches = cachePerIndex<Positions>();

/**
 * Remembers the positions at which deep pages of a search started and ended. Reading page 500 by number takes as long
 * as reading all the pages before it, whereas reading after a known position takes only as long as reading one page. As
 * long as the index has not changed, the page after a known position can therefore be read by number as quickly as by
 * cursor.
 */
export function pagePositions(scope: Scope) {
  const { services, user } = scope;
  const { searchIndex } = services;
  const searchCountLimit = services.config.SEARCH_COUNT_LIMIT;
  const cache = caches(searchIndex);
  const searchKey = searchKeys(scope);
  const keyOf = ({ query, order, acls }: OrderedSearch) =>
    JSON.stringify([searchKey(query), order, acls && hash('sha1', JSON.stringify(acls))]);
  return {
    /** Whether the positions on a page are worth remembering, because reading the pages before it would be slow. */
    isDeep: (offset: number, acls: ReadableAcls | undefined): boolean =>
      offset >= searchCountLimit / 10 && (user.isAdministrator || acls !== undefined),
    /** The last known position at or before an offset. */
    before: (search: OrderedSearch, offset: number) => {
      const positions = cache.get(keyOf(search));
      const nths = [...(positions?.found.keys() ?? [])].filter((nth) => nth <= offset);
      const nth = Math.max(...nths);
      const keys = positions?.found.get(nth);
      return positions && keys && { nth, keys, changes: positions.changes };
    },
    /** Caches the positions found by a statement, provided the index had no pending changes. */
    store: (search: OrderedSearch, state: SearchState, positions: readonly FoundPosition[]): void => {
      const key = keyOf(search);
      if (state.pending > 0 || key.length > maxKeyLength) return;
      const { changes } = state;
      const cached = cache.get(key);
      const found = cached?.changes === changes ? cached.found : new Map<number, PositionKeys>();
      for (const { nth, keys } of positions) {
        if (JSON.stringify(keys).length > maxPositionLength) continue;
        found.delete(nth);
        found.set(nth, keys);
      }
      for (const nth of [...found.keys()].slice(0, -maxPositions)) found.delete(nth);
      if (found !== cached?.found) cache.set(key, { changes, found });
    },
  };
}
