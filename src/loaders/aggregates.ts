import type { Query } from '../query/ast.ts';
import type { SelectedAggregate } from '../query/provider.ts';
import type { Bucket } from '../query/provider-aggregates.ts';
import type { Scope } from '../scope.ts';
import type { Access } from './access.ts';
import { viewOf } from './search.ts';

/** An aggregate, which of its buckets the request wants alone, and how many documents are in which. */
export interface FoundAggregate extends Pick<SelectedAggregate, 'definition' | 'selected'> {
  readonly buckets: readonly Bucket[];
}

type Row = { of: number; key: string; total: number };

/**
 * The buckets of all aggregates, in one statement. Each counts what the query finds and the buckets that are selected in
 * the other aggregates hold, as far as the caller may read it: its buckets tell what could be selected instead.
 */
export const aggregate =
  (scope: Scope, access: Access) =>
  async (query: Query, aggregates: readonly SelectedAggregate[]): Promise<readonly FoundAggregate[]> => {
    const { aggregateSql, bucketsOf, Parameters } = await import('../query/aggregate-sql.ts');
    const { db, model, options } = scope;
    const view = viewOf(scope, access);
    const parameters = new Parameters([options.repository, ...view.values]);
    const compilation = { model, parameters, now: access.now, mayRead: view.mayRead };
    const { found, seen, buckets } = aggregateSql(query, aggregates, view.seen, compilation);
    const text = `WITH ${[found, ...view.tables, seen].join(', ')} ${buckets}`;
    const rows = await db.query<Row>({ name: '', text }, parameters.values);
    return aggregates.map(({ definition, selected }, index) => ({
      ...{ definition, selected },
      buckets: bucketsOf(
        definition,
        rows.filter((row) => row.of === index),
        access.now,
      ),
    }));
  };
