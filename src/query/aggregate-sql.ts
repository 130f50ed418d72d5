import { Invalid } from '../errors.ts';
import { type AggregateDefinition, usualSize } from '../model/page-provider-definitions.ts';
import type { Query } from './ast.ts';
import { conditionSql } from './compile.ts';
import { isSpecial, operandOf } from './ecm.ts';
import type { Compilation, Kind } from './operand.ts';
import { Parameters } from './parameters.ts';
import type { SelectedAggregate } from './provider.ts';
import { bucketsOf, digitsOf, type Range, rangesOf } from './provider-aggregates.ts';

/** What the values of an aggregate must be; those of terms may be anything. */
const kinds: Partial<Record<AggregateDefinition['type'], Kind>> = {
  ...{ range: 'number', histogram: 'number' },
  ...{ date_range: 'date', date_histogram: 'date' },
};

/** How values are kept in arrays, and how they are compared. */
const typeOf = (kind: Kind) =>
  kind === 'number' ? { type: 'numeric', collation: '' } : { type: 'text', collation: ' COLLATE "C"' };

/** The values that documents `d` have of the property of an aggregate. */
interface Values {
  /** An array of them, each once. */
  readonly sql: string;
  readonly kind: Kind;
}

/** @throws Invalid on a property that has no values, or none of the kind that the aggregate is for. */
function valuesSql({ type, property }: AggregateDefinition, compilation: Compilation): Values {
  const operand = operandOf(property, compilation);
  if (isSpecial(operand) || operand.kind === 'object') throw new Invalid(`query: ${property} has no values`);
  const { kind, value, from, when } = operand;
  const expected = kinds[type] ?? kind;
  if (kind !== expected) throw new Invalid(`query: ${property} has no ${type}: it is no ${expected}`);
  const written = `(${value})::${typeOf(kind).type}`;
  const where = when ? ` WHERE ${when}` : '';
  if (from) return { kind, sql: `ARRAY(SELECT DISTINCT ${written} FROM ${from}${where})` };
  return { kind, sql: `CASE WHEN ${when ?? 'true'} THEN ARRAY[${written}] END` };
}

/** Documents that count for an aggregate, and the array of their values. */
interface Counted {
  /** The condition on rows `f` of the table `found`. */
  readonly condition: string;
  readonly values: string;
  readonly kind: Kind;
}

const keySql: Readonly<Record<'terms' | 'histogram' | 'date_histogram', (interval: string) => string>> = {
  terms: () => 'v',
  histogram: (interval) => `floor(v / ${interval}) * ${interval}`,
  date_histogram: (digits) => `left(v, ${digits})`,
};

const intervalOf = (aggregate: AggregateDefinition, parameters: Parameters): string => {
  if (aggregate.type === 'histogram') return parameters.add(aggregate.interval, 'numeric');
  return aggregate.type === 'date_histogram' ? parameters.add(digitsOf(aggregate.interval), 'int') : '';
};

/** The keys that values make, and how many documents have each. */
function keysSql(
  aggregate: Exclude<AggregateDefinition, { ranges: unknown }>,
  { condition, values, kind }: Counted,
  parameters: Parameters,
): string {
  const key = keySql[aggregate.type](intervalOf(aggregate, parameters));
  const written = kind === 'number' ? `trim_scale(${key})::text` : key;
  const order =
    aggregate.type === 'terms'
      ? `ORDER BY total DESC, k.key COLLATE "C" LIMIT ${parameters.add(aggregate.size ?? usualSize, 'int')}`
      : '';
  return `SELECT k.key, count(*)::int AS total FROM found f
    CROSS JOIN LATERAL (SELECT DISTINCT ${written} AS key FROM unnest(${values}) v WHERE v IS NOT NULL) k
    WHERE ${condition} GROUP BY k.key ${order}`;
}

/** How many documents are in each of some ranges, which may be none. */
function rangesSql(
  ranges: readonly Range[],
  { condition, values, kind }: Counted,
  parameters: Parameters,
): string {
  const { type, collation } = typeOf(kind);
  const given = parameters.add(JSON.stringify(ranges), 'jsonb');
  return `SELECT r.key, (
      SELECT count(*)::int FROM found f WHERE ${condition} AND EXISTS (
        SELECT FROM unnest(${values}) v
        WHERE v IS NOT NULL AND (r."from" IS NULL OR v${collation} >= r."from") AND (r."to" IS NULL OR v${collation} < r."to")
      )
    ) AS total
    FROM jsonb_to_recordset(${given}) AS r (key text, "from" ${type}, "to" ${type})`;
}

/** The buckets of an aggregate: a table of `key` and `total`. */
const bucketsSql = (
  aggregate: AggregateDefinition,
  counted: Counted,
  { parameters, now }: Compilation,
): string =>
  'ranges' in aggregate
    ? rangesSql(rangesOf(aggregate, now), counted, parameters)
    : keysSql(aggregate, counted, parameters);

/**
 * What counts the buckets of aggregates: the table `found` for a WITH, and the statement over it, whose rows have the
 * index of the aggregate, a key and a total.
 * @param seen the condition that the caller may read a row `f` of the table.
 * @throws Invalid on a property that cannot be aggregated.
 */
export function aggregateSql(
  query: Query,
  aggregates: readonly SelectedAggregate[],
  seen: string,
  compilation: Compilation,
): { readonly found: string; readonly buckets: string } {
  const isFound = conditionSql(query, compilation);
  const values = aggregates.map(({ definition }) => valuesSql(definition, compilation));
  const selections = aggregates.flatMap(({ condition }, index) =>
    condition ? [{ index, sql: conditionSql({ from: query.from, where: condition }, compilation) }] : [],
  );
  const columns = [
    ...values.map(({ sql }, index) => `${sql} AS v${index}`),
    ...selections.map(({ index, sql }) => `(${sql}) AS s${index}`),
  ];
  const statements = aggregates.map(({ definition }, index) => {
    const others = selections.filter((selection) => selection.index !== index);
    const condition = [seen, ...others.map((other) => `f.s${other.index}`)].join(' AND ');
    const counted = { condition, values: `f.v${index}`, kind: values[index]?.kind ?? 'string' };
    return `SELECT ${index} AS "of", b.key, b.total FROM (${bucketsSql(definition, counted, compilation)}) b`;
  });
  return {
    found: `found AS MATERIALIZED (
      SELECT d.acl_id, d.is_version, ${columns.join(', ')} FROM document d WHERE d.repository = $1 AND ${isFound}
    )`,
    buckets: statements.join(' UNION ALL '),
  };
}

export { bucketsOf, Parameters };
