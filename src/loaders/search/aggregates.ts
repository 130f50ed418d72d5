import type { Client } from '../../db/database.ts';
import type { Query } from '../../query/ast.ts';
import type { SelectedAggregate } from '../../query/providers/provider.ts';
import type { Bucket } from '../../query/providers/provider-aggregates.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { queryCompiler, searchView } from './search-view.ts';
import { type ComposeQuery, unionLoader } from './union-loader.ts';

/** Documents of a sample: always the same, which are in memory then, and whose counts do not vary. */
const sampled = 7_000;

const documents = `(SELECT reltuples FROM pg_class WHERE oid = 'search_document'::regclass)`;

/** The SQL of how many documents stand behind one of the sample. */
const samplingFactor = `greatest(1, ${documents} / ${sampled})`;

const sample = `SELECT ctid AS place FROM search_document
  TABLESAMPLE SYSTEM (least(100, 100.0 * ${sampled} / greatest(1, ${documents}))) REPEATABLE (0)`;

// PostgreSQL takes a list of places for ten rows, and would look at the ACL of each row anew: the second form
// is for callers who have ACLs. It takes a tenth longer for those who have none.
const isSampled = `d.place = ANY (ARRAY(${sample}))`;
const sampledRows = `(SELECT s.* FROM (${sample}) p
  CROSS JOIN LATERAL (SELECT * FROM searchable s WHERE s.place = p.place LIMIT 1) s)`;

/** `few` are all counted, of `many` a sample; of `unknown` the statement finds out. */
type HitAmount = 'few' | 'many' | 'unknown';

interface Sampling {
  /** A join that keeps documents `d` which the caller may read; empty for those who may read all. */
  readonly granting: string;
  /** The condition on documents `d`, with WHERE. */
  readonly where: string;
  readonly columns: readonly string[];
  /** The parameter with the most that are few, for `unknown`. */
  readonly limit: string;
  readonly hits: HitAmount;
}

/** Tables for a WITH: `hits`, whether these are few, and `seen`, with columns of all hits or of a sample. */
function sampledTables({ granting, where, columns, limit, hits }: Sampling): string {
  const foundIn = (rows: string) => `FROM ${rows} d ${granting} ${where}`;
  const of = `SELECT ${columns.join(', ')}`;
  const all = `${of} ${foundIn('searchable')}`;
  const some = granting === '' ? `${all} AND ${isSampled}` : `${of} ${foundIn(sampledRows)}`;
  const tables = (areFew: string, seen: string) =>
    `hits AS MATERIALIZED (SELECT ${areFew} AS are_few), seen AS MATERIALIZED (${seen})`;
  if (hits === 'few') return tables('true', all);
  if (hits === 'many') return tables('false', some);
  const counted = `(SELECT count(*) <= ${limit} FROM (SELECT ${foundIn('searchable')} LIMIT ${limit} + 1) h)`;
  const few = '(SELECT are_few FROM hits)';
  return tables(counted, `${all} AND ${few} UNION ALL ${some} AND NOT ${few}`);
}

export interface AggregateResult extends Pick<SelectedAggregate, 'definition' | 'selected'> {
  readonly buckets: readonly Bucket[];
  /** Whether the hits were too many: the counts are those of a sample, as parts of the whole. */
  readonly isSampled: boolean;
}

const bucketRow = { of: 'int4', key: 'text', total: 'int4', isSampled: 'bool' } as const;

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
      const limit = hits === 'unknown' ? parameters.add(scope.services.config.SEARCH_COUNT_LIMIT, 'int') : '';
      const where = whereSql(query, compilation);
      return `WITH ${sampledTables({ granting, where, columns, limit, hits })}
        SELECT b."of", b.key, CASE WHEN hits.are_few THEN b.total ELSE round(b.total * ${samplingFactor})::int END AS total,
          NOT hits.are_few AS "isSampled"
        FROM (${buckets}) b CROSS JOIN hits`;
    };
  };
  const loader = unionLoader(
    scope,
    { values: [options.repository, ...view.values], row: bucketRow },
    compose,
  );
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
