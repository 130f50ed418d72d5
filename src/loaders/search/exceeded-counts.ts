import type { Query } from '../../query/ast.ts';
import type { SqlParameters } from '../../query/parameters.ts';
import type { Scope } from '../../scope.ts';
import { cachePerIndex, maxKeyLength, searchKeys } from './index-caches.ts';

/** The state of the search index as seen by a statement. */
export interface SearchState {
  /** The number of changes that have been indexed since the index was created. */
  readonly changes: number;
  /**
   * The number of changes that have not been indexed yet; a search inside a transaction may already take some of them
   * into account.
   */
  readonly pending: number;
  /** Whether the statement counted the hits. */
  readonly isCounted: boolean;
}

/** A search with more hits than `sortLimitOf` returns. */
interface ExceededCount {
  /** The number of changes that had been indexed when the hits were counted. */
  readonly changes: number;
  /** The number of hits beyond that limit that were counted. */
  readonly excess: number;
  /** The estimated total number of hits. */
  estimate?: number;
}

const caches = cachePerIndex<ExceededCount>();

/**
 * Returns the number of hits up to which all of them are collected and sorted, even if they are more than are counted
 * for the response. The alternative, reading documents in the order of an index until the page is full, is faster only
 * if the hits are so many that they are found soon.
 */
export const sortLimitOf = (searchCountLimit: number): number => 3 * searchCountLimit;

/** Determines whether a statement counts its hits. */
export interface Counting {
  /** A query that returns `changes` and `pending` of the index. */
  readonly stateSql: string;
  /**
   * SQL condition on a row `s` of `stateSql` that is true if it is certain that the hits exceed the limit, so that they
   * need not be counted.
   */
  readonly isExceeded: string;
}

/**
 * Remembers which searches find very many documents, so that collecting them can be skipped for their next pages.
 *
 * A change to one document adds or removes at most one hit. A search whose hits exceeded the limit by some number
 * therefore still exceeds the limit as long as fewer documents than that number have changed. Counting goes a tenth
 * beyond the limit, so that this number is large enough for counting to be skipped for a while. This works only for
 * searches whose hits depend on nothing but their own rows in the index; a search with conditions on other tables or on
 * the current time is excluded.
 */
export function exceededCounts(scope: Scope) {
  const { db, services } = scope;
  const { searchIndex } = services;
  const searchCountLimit = services.config.SEARCH_COUNT_LIMIT;
  const cache = caches(searchIndex);
  const keyOf = searchKeys(scope);
  const sortLimit = sortLimitOf(searchCountLimit);
  const margin = Math.ceil(sortLimit / 10);
  const stateSql = `SELECT coalesce((SELECT changes::float8 FROM search_state), 0) AS changes,
    (SELECT count(*)::int FROM (SELECT FROM search_change LIMIT ${margin + 1}) c) AS pending`;
  return {
    /** The number at which counting stops. */
    maxCount: sortLimit + 1 + margin,
    /**
     * Prepares the counting of a search's hits.
     * @param where the SQL for the search's conditions
     * @returns undefined for a search that must be counted each time
     */
    countingOf: (query: Query, where: string, parameters: SqlParameters): Counting | undefined => {
      const key = keyOf(query);
      const dependsOnIndexOnly = !/\bselect\b/i.test(where) && !key.includes('"kind":"now"');
      if (!dependsOnIndexOnly || key.length > maxKeyLength || db.replica) return undefined;
      const found = cache.get(key);
      if (!found) return { stateSql, isExceeded: 'false' };
      const [changes, excess] = [found.changes, found.excess].map((value) => parameters.add(value, 'float8'));
      return { stateSql, isExceeded: `abs(s.changes - ${changes}) + s.pending <= ${excess}` };
    },
    /** Remembers the number of hits if it exceeded the limit for sorting. */
    store: (query: Query, total: number, { changes, pending, isCounted }: SearchState): void => {
      if (!isCounted) return;
      const excess = total - sortLimit - 1 - pending;
      if (excess >= 0) cache.set(keyOf(query), { changes, excess });
    },
    /**
     * Returns the estimated number of hits of a search that exceeds the limit for sorting. The estimate is computed only
     * once while the count is cached.
     */
    estimate: async (query: Query, compute: () => Promise<number>): Promise<number> => {
      const found = cache.get(keyOf(query));
      const estimate = found?.estimate ?? Math.max(sortLimit + 1, await compute());
      if (found) found.estimate = estimate;
      return estimate;
    },
  };
}
