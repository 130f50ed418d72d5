import { Invalid } from '../../errors.ts';
import type { AggregateDefinition, HistogramInterval } from '../../model/search/page-provider-definitions.ts';
import { readDate } from '../../model/values/read-value.ts';
import type { Condition, Literal } from '../ast.ts';
import { anyCondition } from '../conditions.ts';
import { isDuration, momentText } from '../moment.ts';
import type { ValueKind } from '../value-kind.ts';
import { literalOf } from './provider-literals.ts';

/** A range of numbers, or of times in UTC. It includes `from` and excludes `to`. */
export interface BucketRange {
  readonly key: string;
  readonly from: number | string | undefined;
  readonly to: number | string | undefined;
}

const momentOf = (text: string | undefined, now: string): string | undefined => {
  if (text === undefined) return undefined;
  return isDuration(text) ? momentText({ kind: 'now', duration: text }, now) : readDate(text, 'ranges');
};

/**
 * Returns the buckets that are fixed by the definition of an aggregate. Returns no buckets if they depend on the
 * values found.
 */
export function rangesOf(aggregate: AggregateDefinition, now: string): readonly BucketRange[] {
  switch (aggregate.type) {
    case 'range':
      return aggregate.ranges.map(({ key, from, to }) => ({ key, from, to }));
    case 'date_range':
      return aggregate.ranges.map(({ key, from, to }) => ({
        key,
        from: momentOf(from, now),
        to: momentOf(to, now),
      }));
    default:
      return [];
  }
}

type Histogram = Extract<AggregateDefinition, { type: 'histogram' | 'date_histogram' }>;

/** For each interval, its duration, and the number of leading characters of a date that identify the interval. */
const intervals: Readonly<Record<HistogramInterval, { duration: string; digits: number }>> = {
  year: { duration: 'P1Y', digits: 'YYYY'.length },
  month: { duration: 'P1M', digits: 'YYYY-MM'.length },
  day: { duration: 'P1D', digits: 'YYYY-MM-DD'.length },
};

export const intervalDigits = (interval: HistogramInterval): number => intervals[interval].digits;

const decimalsOf = (number: number): number => {
  const [digits = '', exponent = '0'] = String(number).split('e');
  return Math.max(0, (digits.split('.')[1] ?? '').length - Number(exponent));
};

/** Adds decimal numbers without binary rounding errors, with which 0.1 + 0.2 would be more than 0.3. */
const decimalSum = (a: number, b: number): number =>
  Number((a + b).toFixed(Math.min(100, Math.max(decimalsOf(a), decimalsOf(b)))));

function histogramBucket(
  aggregate: Histogram,
  key: string,
): BucketRange & { readonly from: number | string } {
  const { id } = aggregate;
  if (aggregate.type === 'histogram') {
    const from = Number(literalOf('number', id, key));
    return { key: String(from), from, to: decimalSum(from, aggregate.interval) };
  }
  const { duration, digits } = intervals[aggregate.interval];
  const from = readDate(key.slice(0, digits), id);
  // The last interval has no upper bound, because dates end with the year 9999.
  const to = from.startsWith('9999') ? undefined : momentText({ kind: 'now', duration }, from);
  return { key: key.slice(0, digits), from, to };
}

/** A bucket (a range or a term) and the number of documents in it. */
export interface Bucket extends Partial<Pick<BucketRange, 'from' | 'to'>> {
  readonly key: string;
  readonly docCount: number;
}

/**
 * Returns the buckets of an aggregate: terms are sorted by count, histograms by value, and ranges as in the definition.
 */
export function bucketsOf(
  aggregate: AggregateDefinition,
  counted: ReadonlyArray<{ readonly key: string; readonly total: number }>,
  now: string,
): readonly Bucket[] {
  const totals = new Map(counted.map(({ key, total }) => [key, total]));
  if (aggregate.type === 'terms') return counted.map(({ key, total }) => ({ key, docCount: total }));
  if ('ranges' in aggregate)
    return rangesOf(aggregate, now).map((range) => ({ ...range, docCount: totals.get(range.key) ?? 0 }));
  const buckets = counted.map(({ key, total }) => ({ ...histogramBucket(aggregate, key), docCount: total }));
  return buckets.sort((a, b) => (a.from < b.from ? -1 : 1));
}

/**
 * Returns the range of a bucket. Durations are not converted to dates, so that the condition does not depend on the
 * time of the request.
 */
function rangeOf(
  aggregate: Exclude<AggregateDefinition, { type: 'terms' }>,
  key: string,
): Pick<BucketRange, 'from' | 'to'> {
  if (!('ranges' in aggregate)) return histogramBucket(aggregate, key);
  const { id, ranges } = aggregate;
  const range = [...ranges].find((each) => each.key === key);
  if (!range)
    throw new Invalid(
      `${id}: "${key.slice(0, 80)}" is not one of ${ranges.map((each) => each.key).join(', ')}`,
    );
  return { from: range.from, to: range.to };
}

function asLiteral(value: number | string): Literal {
  if (typeof value === 'number') return value;
  return isDuration(value) ? { kind: 'now', duration: value } : { kind: 'moment', iso: value };
}

function within(property: string, { from, to }: Pick<BucketRange, 'from' | 'to'>): Condition {
  if (from !== undefined && to !== undefined)
    return { kind: 'between', property, from: asLiteral(from), to: asLiteral(to), isHalfOpen: true };
  if (from !== undefined) return { kind: 'compare', property, op: '>=', value: asLiteral(from) };
  if (to !== undefined) return { kind: 'compare', property, op: '<', value: asLiteral(to) };
  return { kind: 'not', of: { kind: 'isNull', property } };
}

/**
 * Returns the condition that a document is in one of the buckets.
 * @throws Invalid, which names the parameter, if a bucket is unknown
 */
export function bucketCondition(
  aggregate: AggregateDefinition,
  keys: readonly string[],
  kind: ValueKind,
): Condition | undefined {
  const { id, property } = aggregate;
  if (keys.length === 0) return undefined;
  if (aggregate.type === 'terms')
    return { kind: 'in', property, values: keys.map((key) => literalOf(kind, id, key)) };
  return anyCondition(keys.map((key) => within(property, rangeOf(aggregate, key))));
}
