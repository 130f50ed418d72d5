import { LRUCache } from 'lru-cache';
import type { Query } from '../../query/ast.ts';
import type { Scope } from '../../scope.ts';
import { aceUsernames } from '../../security/evaluate.ts';
import type { SearchIndex } from '../../services.ts';

/**
 * The lifetime of cached values in milliseconds. It is limited because permissions can start and end without a change
 * to the index.
 */
const ttl = 60_000;

/**
 * Returns a function that returns the cache of a search index, in which values are cached by the key of the search.
 */
export function cachePerIndex<Value extends object>() {
  const caches = new WeakMap<SearchIndex, LRUCache<string, Value>>();
  return (index: SearchIndex): LRUCache<string, Value> => {
    const cache = caches.get(index) ?? new LRUCache<string, Value>({ max: 1_000, ttl });
    caches.set(index, cache);
    return cache;
  };
}

/**
 * Returns a function that computes the cache key of a query: queries with equal keys find the same documents for the
 * caller.
 */
export function searchKeys({ options, user }: Scope): (query: Pick<Query, 'from' | 'where'>) => string {
  const caller = user.isAdministrator ? null : aceUsernames(user);
  return ({ from, where }) => JSON.stringify([options.repository, caller, from, where]);
}

/** The maximum length of a cache key. Longer queries are hardly ever repeated. */
export const maxKeyLength = 10_000;
