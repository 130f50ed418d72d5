import type { Database, Query } from '../db/database.ts';

/** Rows that one statement deletes: it is over soon, and holds nobody up. */
const batch = 5_000;

/**
 * Deletes rows a batch at a time; answers how many are gone.
 * @param query deletes at most so many rows as its last parameter says, and answers how many in `count`.
 */
export async function inBatches(
  database: Pick<Database, 'query'>,
  query: Query,
  values: readonly unknown[],
  isStopping: () => boolean,
): Promise<number> {
  let gone = 0;
  while (!isStopping()) {
    const [row] = await database.query<{ count: number }>(query, [...values, batch]);
    gone += row?.count ?? 0;
    if ((row?.count ?? 0) < batch) break;
  }
  return gone;
}
