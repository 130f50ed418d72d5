import { hash } from 'node:crypto';
import type { Query, Sort } from '../../query/ast.ts';
import type { Scope } from '../../scope.ts';
import type { ReadableAcls } from '../acls/few-acls.ts';
import type { PositionKeys } from '../lists/list-cursor.ts';
import { keyOfSearches, knownOfIndexes, longestKey } from './known-of-indexes.ts';
import type { SearchState } from './many-hits.ts';

/** A position in an order, with the number of documents up to it. */
export interface FoundPosition {
  readonly nth: number;
  readonly keys: PositionKeys;
}

interface OrderedSearch {
  readonly query: Query;
  readonly order: readonly Sort[];
  /** By which it finds documents: an ACE that begins or ends moves all that comes after those of its ACL. */
  readonly acls: ReadableAcls | undefined;
}

/** Those of an order, when the index had taken so many changes. */
interface Positions {
  readonly changes: number;
  readonly found: Map<number, PositionKeys>;
}

/** Of an order: clients go on from the last one. */
const mostPositions = 20;

/** Characters of the keys of one, which are few enough for a number of any of them. */
const longestPosition = 400;

const ofIndexes = knownOfIndexes<Positions>();

/**
 * Where the pages of a search began and ended that were asked for by number: while the index takes no change,
 * the next one costs what it does by cursor. `manyHits` knows of the same searches that they have too many.
 */
export function pagePositions(scope: Scope) {
  const { services, user } = scope;
  const { searchIndex } = services;
  const searchCountLimit = services.config.SEARCH_COUNT_LIMIT;
  const known = ofIndexes(searchIndex);
  const searchKey = keyOfSearches(scope);
  const keyOf = ({ query, order, acls }: OrderedSearch) =>
    JSON.stringify([searchKey(query), order, acls && hash('sha1', JSON.stringify(acls))]);
  return {
    /** Whether a position is kept: of a page so far down that reading what is before it costs more. */
    isDeep: (offset: number, acls: ReadableAcls | undefined): boolean =>
      offset >= searchCountLimit / 10 && (user.isAdministrator || acls !== undefined),
    /** The last known position that is at an offset, or before it. */
    before: (search: OrderedSearch, offset: number) => {
      const positions = known.get(keyOf(search));
      const nths = [...(positions?.found.keys() ?? [])].filter((nth) => nth <= offset);
      const nth = Math.max(...nths);
      const keys = positions?.found.get(nth);
      return positions && keys && { nth, keys, changes: positions.changes };
    },
    keep: (search: OrderedSearch, state: SearchState, positions: readonly FoundPosition[]): void => {
      const key = keyOf(search);
      if (state.pending > 0 || key.length > longestKey) return;
      const { changes } = state;
      const kept = known.get(key);
      const found = kept?.changes === changes ? kept.found : new Map<number, PositionKeys>();
      for (const { nth, keys } of positions) {
        if (JSON.stringify(keys).length > longestPosition) continue;
        found.delete(nth);
        found.set(nth, keys);
      }
      for (const nth of [...found.keys()].slice(0, -mostPositions)) found.delete(nth);
      if (found !== kept?.found) known.set(key, { changes, found });
    },
  };
}
