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

/** What documents `d` have of the property of an aggregate. */
interface Values {
  /** The value, NULL where there is none; or an array of several, each once. */
  readonly sql: string;
  readonly isMany: boolean;
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
  if (from) return { kind, isMany: true, sql: `ARRAY(SELECT DISTINCT ${written} FROM ${from}${where})` };
  return { kind, isMany: false, sql: when ? `CASE WHEN ${when} THEN ${written} END` : written };
}

/** Documents that count for an aggregate, and the column of their values. */
interface Counted extends Pick<Values, 'isMany' | 'kind'> {
  /** The condition on rows `f` of the table `seen`. */
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

const intervalOf = (aggregate: AggregateDefinition, parameters: Parameters): string => {
  if (aggregate.type === 'histogram') return parameters.add(aggregate.interval, 'numeric');
  return aggregate.type === 'date_histogram' ? parameters.add(digitsOf(aggregate.interval), 'int') : '';
};

/** The keys that values make, and how many documents have each; of several values that make the same, one counts. */
function keysSql(
  aggregate: Exclude<AggregateDefinition, { ranges: unknown }>,
  { condition, values, isMany, kind }: Counted,
  parameters: Parameters,
): string {
  const key = keySql[aggregate.type](isMany ? 'v' : values, intervalOf(aggregate, parameters));
  const written = kind === 'number' ? `trim_scale(${key})::text` : key;
  const keys = isMany
    ? `SELECT k.key FROM seen f
        CROSS JOIN LATERAL (SELECT DISTINCT ${written} AS key FROM unnest(${values}) v) k WHERE ${condition}`
    : `SELECT ${written} AS key FROM seen f WHERE ${condition}`;
  const order =
    aggregate.type === 'terms'
      ? `ORDER BY total DESC, key COLLATE "C" LIMIT ${parameters.add(aggregate.size ?? usualSize, 'int')}`
      : '';
  return `SELECT key, count(*)::int AS total FROM (${keys}) k WHERE key IS NOT NULL GROUP BY key ${order}`;
}

/** How many documents are in each of some ranges; one with several values is in each once. */
function rangesSql(
  ranges: readonly Range[],
  { condition, values, isMany, kind }: Counted,
  parameters: Parameters,
): string {
  const { type, collation } = typeOf(kind);
  const given = parameters.add(JSON.stringify(ranges), 'jsonb');
  const value = isMany ? 'v' : values;
  const test = `${value} IS NOT NULL AND (r."from" IS NULL OR ${value}${collation} >= r."from")
    AND (r."to" IS NULL OR ${value}${collation} < r."to")`;
  const isIn = isMany ? `EXISTS (SELECT FROM unnest(${values}) v WHERE ${test})` : test;
  return `SELECT r.key, count(*)::int AS total
    FROM jsonb_to_recordset(${given}) AS r (key text, "from" ${type}, "to" ${type})
    JOIN seen f ON ${isIn} WHERE ${condition} GROUP BY r.key`;
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
 * What counts the buckets of aggregates: the table `found` for a WITH, the table `seen` of what of it the caller may read,
 * and the statement over that, whose rows have the index of the aggregate, a key and a total.
 * @param mayRead the condition that he may read a row `f` of `found`.
 * @throws Invalid on a property that cannot be aggregated.
 */
export function aggregateSql(
  query: Query,
  aggregates: readonly SelectedAggregate[],
  mayRead: string,
  compilation: Compilation,
): { readonly found: string; readonly seen: string; readonly buckets: string } {
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
    const condition = ['true', ...others.map((other) => `f.s${other.index}`)].join(' AND ');
    const { kind = 'string', isMany = false } = values[index] ?? {};
    const counted = { condition, values: `f.v${index}`, kind, isMany };
    return `SELECT ${index} AS "of", b.key, b.total FROM (${bucketsSql(definition, counted, compilation)}) b`;
  });
  return {
    found: `found AS MATERIALIZED (
      SELECT d.acl_id, d.is_version, ${columns.join(', ')} FROM document d WHERE d.repository = $1 AND ${isFound}
    )`,
    seen: `seen AS MATERIALIZED (SELECT f.* FROM found f WHERE ${mayRead})`,
    buckets: statements.join(' UNION ALL '),
  };
}

export { bucketsOf, Parameters };
