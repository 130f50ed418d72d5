import type { RowWith } from './columns.ts';
import type { Database } from './database.ts';
import { statement } from './statement.ts';

/** Rows that one statement looks at: it is short, and its locks delay no request. */
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

/** How many rows were seen and deleted, and the age and key of the row that was seen last. */
const batchRow = { seen: 'int4', deleted: 'int4', last: 'text[]?' } as const;
type Batch = RowWith<typeof batchRow>;

/**
 * Makes the function that deletes the old rows of a table, a batch at a time, and resolves with their number.
 * It takes the age in days, without which no row is old, and a predicate that ends it between two batches.
 * Rows that another transaction has locked are left for the next time.
 */
export function oldRowsDeletion({ table, key, since, unless = 'false' }: AgingTable) {
  const [place, isOld] = [[since, ...key], `${table}.${since} < now() - make_interval(days => $1::int)`];
  const beyond = `AND (${place.join(', ')}) > (${place.map((_, nth) => `$${nth + 3}`).join(', ')})`;
  const batch = (name: string, more: string) => statement(`delete-old-rows-of-${table}${name}`, batchRow)`
      WITH seen AS MATERIALIZED (
        SELECT ${place.join(', ')} FROM ${table} WHERE ${isOld} ${more} ORDER BY ${place.join(', ')} LIMIT $2::int
      ), old AS (
        SELECT ${columnsOf(key, table)} FROM ${table} JOIN seen s ON (${columnsOf(key, table)}) = (${columnsOf(key, 's')})
        WHERE ${isOld} AND NOT (${unless}) FOR UPDATE OF ${table} SKIP LOCKED
      ), deleted AS (
        DELETE FROM ${table} t USING old WHERE (${columnsOf(key, 't')}) = (${columnsOf(key, 'old')}) RETURNING 1
      )
      SELECT (SELECT count(*)::int FROM seen) AS seen, (SELECT count(*)::int FROM deleted) AS deleted,
        (SELECT ARRAY[${place.map((column) => `${column}::text`).join(', ')}] FROM seen
          ORDER BY ${place.map((column) => `${column} DESC`).join(', ')} LIMIT 1) AS last`;
  const [first, next] = [batch('', ''), batch('-beyond', beyond)];
  return async (
    database: Pick<Database, 'query'>,
    days: number | undefined,
    isStopping: () => boolean = () => false,
  ): Promise<number> => {
    let total = 0;
    let last: Batch['last'] = null;
    while (days !== undefined && !isStopping()) {
      const given: unknown[] = [days, batchSize, ...(last ?? [])];
      const [found]: Batch[] = await database.query(last ? next : first, given);
      total += found?.deleted ?? 0;
      last = found?.last ?? null;
      if (!found || found.seen < batchSize) break;
    }
    return total;
  };
}
