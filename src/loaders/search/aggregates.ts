import type { Query } from '../../query/ast.ts';
import type { SelectedAggregate } from '../../query/provider.ts';
import type { Bucket } from '../../query/provider-aggregates.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { searchView } from './search.ts';
import { type ComposeQuery, unionLoader } from './union-loader.ts';

export interface AggregateResult extends Pick<SelectedAggregate, 'definition' | 'selected'> {
  readonly buckets: readonly Bucket[];
}

type Row = { of: number; key: string; total: number };

interface Counting {
  readonly query: Query;
  readonly aggregates: readonly SelectedAggregate[];
}

/**
 * All aggregates in one statement. Each counts the readable documents that the query and the selected buckets
 * of the other aggregates leave, so that its own buckets show the alternatives to its selection.
 */
export function computeAggregates(
  scope: Scope,
  access: Access,
): (query: Query, aggregates: readonly SelectedAggregate[]) => Promise<readonly AggregateResult[]> {
  const { model, options } = scope;
  const { now } = access;
  const view = searchView(scope, access);
  const compose = async (): Promise<ComposeQuery<Counting>> => {
    const [{ aggregateSql }, { newCompilation }] = await Promise.all([
      import('../../query/aggregate-sql.ts'),
      import('../../query/operand.ts'),
    ]);
    return ({ query, aggregates }, parameters) => {
      const compilation = newCompilation({
        model,
        parameters,
        now,
        mayRead: view.mayRead,
        mayReadAcl: view.mayReadAcl(parameters),
      });
      const { found, seen, buckets } = aggregateSql(query, aggregates, view.readableCondition, compilation);
      return `WITH ${[found, ...view.tables, seen].join(', ')} ${buckets}`;
    };
  };
  const loader = unionLoader<Counting, Row>(scope, [options.repository, ...view.values], compose);
  return async (query, aggregates) => {
    const { bucketsOf } = await import('../../query/provider-aggregates.ts');
    const rows = await loader.load({ query, aggregates });
    return aggregates.map(({ definition, selected }, index) => ({
      definition,
      selected,
      buckets: bucketsOf(
        definition,
        rows.filter((row) => row.of === index),
        now,
      ),
    }));
  };
}
