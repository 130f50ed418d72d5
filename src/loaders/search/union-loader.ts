import DataLoader from 'dataloader';
import { SqlParameters } from '../../query/parameters.ts';
import type { Scope } from '../../scope.ts';

/** Queries that one statement unites: PostgreSQL plans each of them. */
const maxQueries = 100;

/** Composes a query from a key; every value goes into the parameters. */
export type ComposeQuery<Key> = (key: Key, parameters: SqlParameters) => string;

/**
 * A loader for queries whose text depends on their keys: those of one tick are united into one statement.
 * Keys are equal when their JSON is.
 * @param values the parameters that all of them have, from $1 on.
 * @param loadComposer what the query of a key throws rejects that key alone.
 */
export function unionLoader<Key, Row>(
  { db }: Pick<Scope, 'db'>,
  values: readonly unknown[],
  loadComposer: () => Promise<ComposeQuery<Key>>,
): DataLoader<Key, readonly Row[], string> {
  const load = async (keys: readonly Key[]): Promise<Array<readonly Row[] | Error>> => {
    const compose = await loadComposer();
    const parameters = new SqlParameters(values);
    const composed = keys.map((key) => {
      const { length } = parameters.values;
      try {
        return compose(key, parameters);
      } catch (error) {
        parameters.values.length = length; // PostgreSQL refuses parameters that the text does not have
        return error as Error;
      }
    });
    const texts = composed.filter((text) => typeof text === 'string');
    if (texts.length === 0) return composed as Error[];
    const parts = texts.map(
      (text, part) => `SELECT ${part} AS "part", row_number() OVER () AS "nth", q.* FROM (${text}) q`,
    );
    const text = texts.length === 1 ? (texts[0] ?? '') : `${parts.join(' UNION ALL ')} ORDER BY 1, 2`;
    const rows = await db.query<Row & { readonly part?: number }>({ name: '', text }, parameters.values);
    const results = texts.map((): Row[] => []);
    for (const row of rows) results[row.part ?? 0]?.push(row);
    return composed.map((one) => (typeof one === 'string' ? (results.shift() ?? []) : one));
  };
  return new DataLoader(load, { cacheKeyFn: (key) => JSON.stringify(key), maxBatchSize: maxQueries });
}
