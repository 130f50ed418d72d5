import DataLoader from 'dataloader';
import type { Columns, RowWith } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { composed } from '../../db/statement.ts';
import { SqlParameters } from '../../query/parameters.ts';
import type { Scope, Using } from '../../scope.ts';

/** The maximum number of queries in one statement. It is limited because PostgreSQL has to plan each of them. */
const maxQueries = 100;

/**
 * The number of characters in a statement after which no further query is added, because long statements take a long
 * time to plan.
 */
const maxCharacters = 200_000;

/** Composes the SQL of the query for a key. All values are added to the parameters. */
export type ComposeQuery<Key> = (key: Key, parameters: SqlParameters) => string;

type SearchScope = Pick<Scope, 'db' | 'searchTurn'> & Using<'searchIndex' | 'searchTurns'>;

/**
 * Runs a search once the index is up to date and it is the request's turn. A request waits for the index only once. A
 * search inside a transaction uses the transaction's connection and also takes the changes made by the transaction into
 * account.
 */
async function searchInTurn<T>(
  { db, services: { searchIndex, searchTurns }, searchTurn: turn }: SearchScope,
  search: (query: Client['query']) => Promise<T>,
): Promise<T> {
  if (turn.isConnected) {
    const run = () =>
      searchIndex.withinTransaction(db, search, { user: turn.user, isWaiting: turn.delay === 0 });
    const { found, state } = await searchTurns.take(turn, run);
    turn.delay = Math.max(turn.delay, state.behind);
    return found;
  }
  turn.caughtUp ??= searchIndex.catchUp(db, turn.user);
  turn.delay = Math.max(turn.delay, (await turn.caughtUp).behind);
  return searchTurns.take(turn, () => search(db.query));
}

/**
 * Additional columns of a statement that combines queries: the number of the query and the number of the row within its
 * result.
 */
const partRow = { part: 'int4', nth: 'int8' } as const;

/** Several queries in one statement that share their parameters. */
class Union {
  readonly parameters: SqlParameters;
  readonly #texts: string[] = [];
  readonly #keys: number[] = [];
  #length = 0;

  constructor(values: readonly unknown[]) {
    this.parameters = new SqlParameters([...values]);
  }

  get isFull(): boolean {
    return this.#length > maxCharacters;
  }

  add(key: number, compose: (parameters: SqlParameters) => string): void {
    const text = compose(this.parameters);
    this.#texts.push(text);
    this.#keys.push(key);
    this.#length += text.length;
  }

  async send<Declared extends Columns>(
    query: Client['query'],
    row: Declared,
    results: Array<Array<RowWith<Declared>> | Error>,
  ): Promise<void> {
    const [first, ...others] = this.#texts;
    if (first === undefined) return;
    const parts = this.#texts.map(
      (text, part) => `SELECT ${part} AS "part", row_number() OVER () AS "nth", q.* FROM (${text}) q`,
    );
    const { text, values } = this.parameters.statement(
      others.length === 0 ? first : `${parts.join(' UNION ALL ')} ORDER BY 1, 2`,
    );
    const found = this.#keys.map((): Array<RowWith<Declared>> => []);
    if (others.length === 0) found[0] = await query(composed(text, row), values);
    else
      for (const each of await query<RowWith<Declared> & RowWith<typeof partRow>>(
        composed(text, { ...row, ...partRow }),
        values,
      ))
        found[each.part]?.push(each);
    for (const [part, key] of this.#keys.entries()) results[key] = found[part] ?? [];
  }
}

/**
 * Returns a loader for searches whose SQL depends on their keys. UNION ALL combines the searches requested in one turn
 * of the event loop into one statement, or into several if they are long, so that a GraphQL operation with many
 * searches still sends few statements. Keys are considered equal if their JSON is equal. An error while composing the
 * SQL for a key rejects only that key.
 * @param values the values of the parameters that all queries share, from $1 on
 * @param row the types of the columns in the results
 * @param loadComposer returns the function that composes a query; it is called after the index is up to date
 */
export function unionLoader<Key, const Declared extends Columns>(
  scope: SearchScope,
  { values, row }: { readonly values: readonly unknown[]; readonly row: Declared },
  loadComposer: (query: Client['query']) => Promise<ComposeQuery<Key>>,
): DataLoader<Key, ReadonlyArray<RowWith<Declared>>, string> {
  const loadAll = async (keys: readonly Key[], query: Client['query']) => {
    const compose = await loadComposer(query);
    const results: Array<Array<RowWith<Declared>> | Error> = [];
    let union = new Union(values);
    for (const [index, key] of keys.entries()) {
      if (union.isFull) {
        await union.send(query, row, results);
        union = new Union(values);
      }
      try {
        union.add(index, (parameters) => compose(key, parameters));
      } catch (error) {
        results[index] = error as Error;
      }
    }
    await union.send(query, row, results);
    return results;
  };
  const load = (keys: readonly Key[]): Promise<Array<ReadonlyArray<RowWith<Declared>> | Error>> =>
    searchInTurn(scope, (query) => loadAll(keys, query));
  return new DataLoader(load, { cacheKeyFn: (key) => JSON.stringify(key), maxBatchSize: maxQueries });
}
