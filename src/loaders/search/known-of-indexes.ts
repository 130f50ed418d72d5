import { LRUCache } from 'lru-cache';
import type { Query } from '../../query/ast.ts';
import type { Scope } from '../../scope.ts';
import { aceUsernames } from '../../security/evaluate.ts';
import type { SearchIndex } from '../../services.ts';

/** Milliseconds: permissions may begin and end without a change of the index. */
const keptFor = 60_000;

/** Of each search index, what is known of searches in a state of it, by their keys. */
export function knownOfIndexes<Known extends object>() {
  const ofIndexes = new WeakMap<SearchIndex, LRUCache<string, Known>>();
  return (index: SearchIndex): LRUCache<string, Known> => {
    const known = ofIndexes.get(index) ?? new LRUCache<string, Known>({ max: 1_000, ttl: keptFor });
    ofIndexes.set(index, known);
    return known;
  };
}

/** The key of what a query finds for the caller. */
export function keyOfSearches({ options, user }: Scope): (query: Pick<Query, 'from' | 'where'>) => string {
  const caller = user.isAdministrator ? null : aceUsernames(user);
  return ({ from, where }) => JSON.stringify([options.repository, caller, from, where]);
}

/** Characters of a key: one that is longer is hardly asked again. */
export const longestKey = 10_000;
