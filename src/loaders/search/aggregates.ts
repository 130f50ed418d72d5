import type { Client } from '../../db/database.ts';
import type { Query } from '../../query/ast.ts';
import type { SelectedAggregate } from '../../query/providers/provider.ts';
import type { Bucket } from '../../query/providers/provider-aggregates.ts';
import type { Scope } from '../../scope.ts';
import type { Access } from '../acls/access.ts';
import { queryCompiler, searchView } from './search-view.ts';
import { type ComposeQuery, unionLoader } from './union-loader.ts';

/**
 * The number of documents in a sample. Every search uses the same sample, so its pages stay in memory and the counts do
 * not vary between requests.
 */
const sampleSize = 7_000;

const documents = `(SELECT reltuples FROM pg_class WHERE oid = 'search_document'::regclass)`;

/** SQL for the number of documents that each document in the sample represents. */
const samplingFactor = `greatest(1, ${documents} / ${sampleSize})`;

const sample = `SELECT ctid AS place FROM search_document
  TABLESAMPLE SYSTEM (least(100, 100.0 * ${sampleSize} / greatest(1, ${documents}))) REPEATABLE (0)`;

// Two ways to restrict a query to the sample. With the first, PostgreSQL estimates the list of row addresses at ten
// rows, and would then evaluate the ACL of each row anew instead of caching the result, so the second way is used for
// callers whose permissions have to be checked. For administrators, the second way would take 10% longer than the
// first.
const isSampled = `d.place = ANY (ARRAY(${sample}))`;
const sampledRows = `(SELECT s.* FROM (${sample}) p
  CROSS JOIN LATERAL (SELECT * FROM searchable s WHERE s.place = p.place LIMIT 1) s)`;

/**
 * The number of hits: `few` hits are counted exactly, `many` are estimated from a sample; for `unknown`, the statement
 * itself finds out which of the two applies.
 */
type HitAmount = 'few' | 'many' | 'unknown';

interface Sampling {
  /** A join that selects the documents `d` that the caller can read; empty for administrators. */
  readonly granting: string;
  /** The condition on documents `d`, including the keyword WHERE. */
  readonly where: string;
  readonly columns: readonly string[];
  /** The parameter that holds the maximum number of hits that count as few; used for `unknown`. */
  readonly limit: string;
  readonly hits: HitAmount;
}

/**
 * The table expressions `hits`, which tells whether there are few hits, and `seen`, which contains the columns of all
 * hits or of the sampled hits. For `unknown`, `seen` combines both branches, and `hits` turns one of them off at run
 * time.
 */
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
  /** Whether the counts are estimates from a sample because there are too many hits. */
  readonly isSampled: boolean;
}

const bucketRow = { of: 'int4', key: 'text', total: 'int4', isSampled: 'bool' } as const;

interface AggregateRequest {
  readonly query: Query;
  readonly aggregates: readonly SelectedAggregate[];
  readonly hits: HitAmount;
}

/**
 * Computes all aggregates of a search with one statement. Each aggregate counts the readable documents that match the
 * query and the selected buckets of the other aggregates. Its own selection is ignored, so that its buckets show the
 * alternatives.
 */
export function computeAggregates(
  scope: Scope,
  access: Access,
): (request: AggregateRequest) => Promise<readonly AggregateResult[]> {
  const { options } = scope;
  const { now } = access;
  const view = searchView(scope, access);
  const compose = async (send: Client['query']): Promise<ComposeQuery<AggregateRequest>> => {
    const [{ begin, granting, whereSql }, { aggregateSql }] = await Promise.all([
      queryCompiler(scope, access, view, send),
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
  return async (request) => {
    const { bucketsOf } = await import('../../query/providers/provider-aggregates.ts');
    const rows = await loader.load(request);
    const isSampled = rows.some((row) => row.isSampled);
    return request.aggregates.map(({ definition, selected }, index) => ({
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
