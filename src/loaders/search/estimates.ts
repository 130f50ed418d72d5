import DataLoader from 'dataloader';
import type { Query } from '../../query/ast.ts';
import { SqlParameters } from '../../query/parameters.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { queryCompiler, searchView } from './search-view.ts';

interface Plan {
  readonly 'Plan Rows': number;
  readonly 'Subplan Name'?: string;
  readonly Plans?: readonly Plan[];
}

const maxQueries = 20;

/** How many documents queries find, as the planner estimates it: one statement for those of one tick. */
export function estimates(scope: Scope, access: Access): DataLoader<Query, number, string> {
  const { db, options } = scope;
  const view = searchView(scope, access);
  const load = async (queries: readonly Query[]): Promise<number[]> => {
    const { begin, foundSql } = await queryCompiler(scope, access, view);
    const parameters = new SqlParameters([options.repository, ...view.values]);
    const tables = queries.map(
      (query, index) => `q${index} AS MATERIALIZED (SELECT d.id ${foundSql(query, begin(parameters))})`,
    );
    const counts = queries.map((_, index) => `(SELECT count(*) FROM q${index})`);
    const { text, values } = parameters.statement(
      `EXPLAIN (FORMAT JSON) WITH ${tables.join(', ')} SELECT ${counts.join(', ')}`,
    );
    const [explained] = await db.query<{ 'QUERY PLAN': ReadonlyArray<{ readonly Plan: Plan }> }>(
      { name: '', text },
      values,
    );
    const plans = explained?.['QUERY PLAN'][0]?.Plan.Plans ?? [];
    return queries.map(
      (_, index) => plans.find((plan) => plan['Subplan Name'] === `CTE q${index}`)?.['Plan Rows'] ?? 0,
    );
  };
  return new DataLoader(load, { cacheKeyFn: (query) => JSON.stringify(query), maxBatchSize: maxQueries });
}
