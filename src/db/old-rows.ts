import type { Database } from './database.ts';

/** Rows that one statement deletes: it is short, and its locks delay no request. */
const batchSize = 5_000;

interface AgingTable {
  readonly table: string;
  readonly key: readonly string[];
  /** The column from which the age of a row is counted; it has an index. */
  readonly since: string;
  /** A condition of rows that stay whatever their age. */
  readonly unless?: string;
}

const columnsOf = (key: readonly string[], source: string): string =>
  key.map((column) => `${source}.${column}`).join(', ');

/**
 * Makes the function that deletes the old rows of a table, a batch at a time, and resolves with their number.
 * It takes the age in days, without which no row is old, and a predicate that ends it between two batches.
 * Rows that another transaction has locked are left for the next time.
 */
export function oldRowsDeletion({ table, key, since, unless = 'false' }: AgingTable) {
  const query = {
    name: `delete-old-rows-of-${table}`,
    text: `
      WITH old AS (
        SELECT ${key.join(', ')} FROM ${table} WHERE ${since} < now() - make_interval(days => $1::int)
          AND NOT (${unless})
        ORDER BY ${since} LIMIT $2::int FOR UPDATE SKIP LOCKED
      ), deleted AS (
        DELETE FROM ${table} t USING old WHERE (${columnsOf(key, 't')}) = (${columnsOf(key, 'old')}) RETURNING 1
      )
      SELECT count(*)::int AS count FROM deleted`,
  };
  return async (
    database: Pick<Database, 'query'>,
    days: number | undefined,
    isStopping: () => boolean = () => false,
  ): Promise<number> => {
    let total = 0;
    while (days !== undefined && !isStopping()) {
      const [{ count } = { count: 0 }] = await database.query<{ count: number }>(query, [days, batchSize]);
      total += count;
      if (count < batchSize) break;
    }
    return total;
  };
}
