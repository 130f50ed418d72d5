import { type AggregateDefinition, defaultBucketCount } from '../model/search/page-provider-definitions.ts';
import type { Query } from './ast.ts';
import { conditionSql } from './compile.ts';
import { isEqualityOperand, operandOf } from './ecm.ts';
import { termValues } from './indexes/term-values.ts';
import type { Compilation } from './operand.ts';
import type { SqlParameters } from './parameters.ts';
import type { SelectedAggregate } from './providers/provider.ts';
import { type BucketRange, intervalDigits, rangesOf } from './providers/provider-aggregates.ts';
import { QueryFault } from './query-fault.ts';
import type { ValueKind } from './value-kind.ts';

const requiredKinds: Partial<Record<AggregateDefinition['type'], ValueKind>> = {
  range: 'number',
  histogram: 'number',
  date_range: 'date',
  date_histogram: 'date',
};

const sqlTypeOf = (kind: ValueKind) =>
  kind === 'number' ? { type: 'numeric', collation: '' } : { type: 'text', collation: ' COLLATE "C"' };

interface AggregatedValues {
  /**
   * The SQL expression for the property's value, which can be NULL. For a list, it yields an array; `element` converts
   * the elements to values.
   */
  readonly sql: string;
  readonly element?: ((value: string) => string) | undefined;
  readonly kind: ValueKind;
}

function valuesSql({ type, property }: AggregateDefinition, compilation: Compilation): AggregatedValues {
  const operand = operandOf(property, compilation);
  if (isEqualityOperand(operand) || operand.kind === 'object')
    throw new QueryFault(`${property} cannot be aggregated`);
  const { kind, value, from, when } = operand;
  const expected = requiredKinds[type] ?? kind;
  if (kind !== expected)
    throw new QueryFault(`${property} cannot have a ${type} aggregate, because it is not a ${expected}`);
  const typed = (sql: string) => `(${sql})::${sqlTypeOf(kind).type}`;
  const terms = termValues(operand, compilation);
  if (terms && from === undefined) return { kind, sql: typed(terms.sql) };
  if (terms) return { kind, sql: terms.sql, element: (one) => typed(terms.element(one)) };
  const where = when ? ` WHERE ${when}` : '';
  if (from === undefined)
    return { kind, sql: when ? `CASE WHEN ${when} THEN ${typed(value)} END` : typed(value) };
  return {
    kind,
    sql: `ARRAY(SELECT DISTINCT ${typed(value)} FROM ${from}${where} ORDER BY 1)`,
    element: (one) => one,
  };
}

/** What an aggregate counts: the rows `f` of the CTE `seen` that satisfy the condition. */
interface Counted extends Pick<AggregatedValues, 'element' | 'kind'> {
  readonly condition: string;
  readonly values: string;
}

const keySql: Readonly<
  Record<'terms' | 'histogram' | 'date_histogram', (value: string, interval: string) => string>
> = {
  terms: (value) => value,
  histogram: (value, interval) => `floor(${value} / ${interval}) * ${interval}`,
  date_histogram: (value, digits) => `left(${value}, ${digits})`,
};

const intervalOf = (aggregate: AggregateDefinition, parameters: SqlParameters): string => {
  if (aggregate.type === 'histogram') return parameters.add(aggregate.interval, 'numeric');
  return aggregate.type === 'date_histogram' ? parameters.add(intervalDigits(aggregate.interval), 'int') : '';
};

/**
 * Returns SQL that counts the documents for each key, which is a value or an interval of values. A document with
 * several values in one interval is counted once.
 */
function keysSql(
  aggregate: Exclude<AggregateDefinition, { ranges: unknown }>,
  { condition, values, element, kind }: Counted,
  parameters: SqlParameters,
): string {
  const key = keySql[aggregate.type](element?.('v') ?? values, intervalOf(aggregate, parameters));
  const text = kind === 'number' ? `trim_scale(${key})::text` : key;
  // The values of a list are distinct, and so are their text forms. However, several values can be in the same
  // interval, so intervals have to be deduplicated.
  const ofList =
    aggregate.type === 'terms'
      ? `SELECT ${text} AS key FROM unnest(${values}) v`
      : `SELECT DISTINCT ${text} AS key FROM unnest(${values}) v`;
  const keys = element
    ? `SELECT k.key FROM seen f CROSS JOIN LATERAL (${ofList}) k WHERE ${condition}`
    : `SELECT ${text} AS key FROM seen f WHERE ${condition}`;
  const order =
    aggregate.type === 'terms'
      ? `ORDER BY total DESC, key COLLATE "C" LIMIT ${parameters.add(aggregate.size ?? defaultBucketCount, 'int')}`
      : '';
  return `SELECT key, count(*)::int AS total FROM (${keys}) k WHERE key IS NOT NULL GROUP BY key ${order}`;
}

/**
 * Returns SQL that counts the documents for each range. A document with several values in a range is counted once.
 */
function rangesSql(
  ranges: readonly BucketRange[],
  { condition, values, element, kind }: Counted,
  parameters: SqlParameters,
): string {
  const { type, collation } = sqlTypeOf(kind);
  const limits = (which: 'from' | 'to') =>
    parameters.add(
      ranges.map((range) => range[which] ?? null),
      `${type}[]`,
    );
  const keys = parameters.add(
    ranges.map(({ key }) => key),
    'text[]',
  );
  const value = `${element?.('v') ?? values}${collation}`;
  const test = `${value} IS NOT NULL AND (r.low IS NULL OR ${value} >= r.low) AND (r.high IS NULL OR ${value} < r.high)`;
  const isWithin = element ? `EXISTS (SELECT FROM unnest(${values}) v WHERE ${test})` : test;
  return `SELECT r.key, count(*)::int AS total
    FROM unnest(${keys}, ${limits('from')}, ${limits('to')}) AS r (key, low, high)
    JOIN seen f ON ${condition} AND ${isWithin} GROUP BY r.key`;
}

const bucketsSql = (
  aggregate: AggregateDefinition,
  counted: Counted,
  { parameters, now }: Compilation,
): string =>
  'ranges' in aggregate
    ? rangesSql(rangesOf(aggregate, now), counted, parameters)
    : keysSql(aggregate, counted, parameters);

/**
 * Returns SQL that counts the documents in the buckets of all aggregates of a search. The caller puts `columns` into a
 * CTE `seen`, which has one row for each found document `d`. The row contains the values for each aggregate (`v0`,
 * `v1`, …) and, for each aggregate with selected buckets, whether the document is in one of them (`s0`, `s1`, …).
 * @throws QueryFault for a property that cannot be aggregated
 */
export function aggregateSql(
  query: Query,
  aggregates: readonly SelectedAggregate[],
  compilation: Compilation,
): { readonly columns: readonly string[]; readonly buckets: string } {
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
    const condition = ['true', ...others.map((other) => `f.s${other.index}`)].join(' AND ');
    const { kind = 'string', element } = values[index] ?? {};
    const counted = { condition, values: `f.v${index}`, kind, element };
    return `SELECT ${index} AS "of", b.key, b.total FROM (${bucketsSql(definition, counted, compilation)}) b`;
  });
  return { columns, buckets: statements.join(' UNION ALL ') };
}
