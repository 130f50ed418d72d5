import type { Query } from './database.ts';

/** So many keys are found at once. */
const few = 100;

/** A statement that finds rows by keys, none of them many: for few keys it is a quick one. */
export function quickForFew(query: Query): (keys: readonly unknown[]) => Query {
  const quick: Query = { ...query, isQuick: true };
  return (keys) => (keys.length <= few ? quick : query);
}
