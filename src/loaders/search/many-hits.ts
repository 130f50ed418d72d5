import type { Query } from '../../query/ast.ts';
import type { SqlParameters } from '../../query/parameters.ts';
import type { Scope } from '../../scope.ts';
import { keyOfSearches, knownOfIndexes, longestKey } from './known-of-indexes.ts';

/** Of the search index, as a statement sees it; and whether it has counted the hits. */
export interface SearchState {
  /** How many changes it has taken. */
  readonly changes: number;
  /** Changes that are noted for it: a search in a transaction finds what some of them are about. */
  readonly pending: number;
  readonly isCounted: boolean;
}

/** More hits than the limit, by so many, when the index had taken so many changes. */
interface ManyHits {
  readonly changes: number;
  readonly excess: number;
  estimate?: number;
}

const ofIndexes = knownOfIndexes<ManyHits>();

/** What a search is counted by. */
export interface Counting {
  /** The SQL of its `changes` and `pending`. */
  readonly stateSql: string;
  /** The condition that a state `s` shows the hits to be as many as are counted at most. */
  readonly areMost: string;
}

/**
 * A search that found more documents than are counted (§2.2) does so still while fewer have changed than it
 * found in excess. So a tenth more is counted, and then nothing until as many documents have changed. This is
 * known of searches alone whose hits depend on their own rows: neither on other tables nor on the time.
 */
export function manyHits(scope: Scope) {
  const { db, services } = scope;
  const { searchIndex } = services;
  const searchCountLimit = services.config.SEARCH_COUNT_LIMIT;
  const known = ofIndexes(searchIndex);
  const keyOf = keyOfSearches(scope);
  const margin = Math.ceil(searchCountLimit / 10);
  const stateSql = `SELECT coalesce((SELECT changes::float8 FROM search_state), 0) AS changes,
    (SELECT count(*)::int FROM (SELECT FROM search_change LIMIT ${margin + 1}) c) AS pending`;
  return {
    /** The number up to which hits are counted. */
    most: searchCountLimit + 1 + margin,
    /** @param where the SQL of its conditions. @returns undefined for a search of which it is never known */
    countingOf: (query: Query, where: string, parameters: SqlParameters): Counting | undefined => {
      const key = keyOf(query);
      const isOfOwnRows = !/\bselect\b/i.test(where) && !key.includes('"kind":"now"');
      if (!isOfOwnRows || key.length > longestKey || db.replica) return undefined;
      const found = known.get(key);
      if (!found) return { stateSql, areMost: 'false' };
      const [changes, excess] = [found.changes, found.excess].map((value) => parameters.add(value, 'float8'));
      return { stateSql, areMost: `abs(s.changes - ${changes}) + s.pending <= ${excess}` };
    },
    keep: (query: Query, total: number, { changes, pending, isCounted }: SearchState): void => {
      if (!isCounted) return;
      const excess = total - searchCountLimit - 1 - pending;
      if (excess >= 0) known.set(keyOf(query), { changes, excess });
    },
    /** About how many there are, more than the limit: asked for once while they are known to be. */
    estimate: async (query: Query, ask: () => Promise<number>): Promise<number> => {
      const found = known.get(keyOf(query));
      const estimate = found?.estimate ?? Math.max(searchCountLimit + 1, await ask());
      if (found) found.estimate = estimate;
      return estimate;
    },
  };
}
