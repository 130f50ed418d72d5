import type { RowWith } from './columns.ts';
import type { Database } from './database.ts';
import { statement } from './statement.ts';

/**
 * The number of rows that one statement examines. It is small, so that the locks of a statement do not noticeably delay
 * a request.
 */
const batchSize = 5_000;

interface AgingTable {
  readonly table: string;
  readonly key: readonly string[];
  /** The timestamp column from which the age of a row is calculated. It must have an index. */
  readonly since: string;
  /** A condition for rows that are never deleted, regardless of their age. */
  readonly unless?: string;
}

const columnsOf = (key: readonly string[], source: string): string =>
  key.map((column) => `${source}.${column}`).join(', ');

/**
 * The number of rows that a batch has examined, the number that it has deleted, and the timestamp and key of the last
 * row that it has examined.
 */
const batchRow = { seen: 'int4', deleted: 'int4', last: 'text[]?' } as const;
type Batch = RowWith<typeof batchRow>;

/**
 * Returns a function that deletes the old rows of a table in batches and resolves with the number of deleted rows. The
 * function takes the maximum age in days (if it is missing, nothing is deleted) and a predicate that stops it between
 * two batches.
 *
 * `seen` reads the next old rows in index order, starting after the last row of the previous batch. Among these, `old`
 * locks the rows that can be deleted; rows that another transaction has locked are left for the next run. The result
 * contains the position at which the batch ended, so that the rows that remain are not read again.
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
      const values: unknown[] = [days, batchSize, ...(last ?? [])];
      const [found]: Batch[] = await database.query(last ? next : first, values);
      total += found?.deleted ?? 0;
      last = found?.last ?? null;
      if (!found || found.seen < batchSize) break;
    }
    return total;
  };
}
