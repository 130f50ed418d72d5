import type { Client } from '../../db/database.ts';
import type { Query } from '../../query/ast.ts';
import type { SelectedAggregate } from '../../query/providers/provider.ts';
import type { Bucket } from '../../query/providers/provider-aggregates.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { type HitAmount, sampledTables, samplingFactor } from './sample-sql.ts';
import { queryCompiler, searchView } from './search-view.ts';
import { type ComposeQuery, unionLoader } from './union-loader.ts';

export interface AggregateResult extends Pick<SelectedAggregate, 'definition' | 'selected'> {
  readonly buckets: readonly Bucket[];
  /** Whether the hits were too many: the counts are those of a sample, as parts of the whole. */
  readonly isSampled: boolean;
}

type Row = { of: number; key: string; total: number; isSampled: boolean };

interface Counting {
  readonly query: Query;
  readonly aggregates: readonly SelectedAggregate[];
  readonly hits: HitAmount;
}

/**
 * All aggregates in one statement. Each counts the readable documents that the query and the selected buckets
 * of the other aggregates leave, so that its own buckets show the alternatives to its selection.
 */
export function computeAggregates(
  scope: Scope,
  access: Access,
): (counting: Counting) => Promise<readonly AggregateResult[]> {
  const { options } = scope;
  const { now } = access;
  const view = searchView(scope, access);
  const compose = async (ask: Client['query']): Promise<ComposeQuery<Counting>> => {
    const [{ begin, granting, whereSql }, { aggregateSql }] = await Promise.all([
      queryCompiler(scope, access, view, ask),
      import('../../query/aggregate-sql.ts'),
    ]);
    return ({ query, aggregates, hits }, parameters) => {
      const compilation = begin(parameters);
      const { columns, buckets } = aggregateSql(query, aggregates, compilation);
      const limit = hits === 'unknown' ? parameters.add(scope.searchCountLimit, 'int') : '';
      const where = whereSql(query, compilation);
      return `WITH ${sampledTables({ granting, where, columns, limit, hits })}
        SELECT b."of", b.key, CASE WHEN hits.are_few THEN b.total ELSE round(b.total * ${samplingFactor})::int END AS total,
          NOT hits.are_few AS "isSampled"
        FROM (${buckets}) b CROSS JOIN hits`;
    };
  };
  const loader = unionLoader<Counting, Row>(scope, [options.repository, ...view.values], compose);
  return async (counting) => {
    const { bucketsOf } = await import('../../query/providers/provider-aggregates.ts');
    const rows = await loader.load(counting);
    const isSampled = rows.some((row) => row.isSampled);
    return counting.aggregates.map(({ definition, selected }, index) => ({
      definition,
      selected,
      isSampled,
      buckets: bucketsOf(
        definition,
        rows.filter((row) => row.of === index),
        now,
      ),
    }));
  };
}
