import { Invalid } from '../errors.ts';
import type { AggregateDefinition, intervals } from '../model/page-provider-definitions.ts';
import { readDate } from '../model/read-value.ts';
import type { Condition, Literal } from './ast.ts';
import { anyOf } from './conditions.ts';
import { isDuration, momentText } from './moment.ts';
import type { Kind } from './operand.ts';
import { literalOf } from './provider-literals.ts';

/** Values from the first to before the last, under a name: numbers, or moments in UTC. */
export interface Range {
  readonly key: string;
  readonly from: number | string | undefined;
  readonly to: number | string | undefined;
}

/** A duration from now, or a date, as a moment in UTC. @throws Invalid when it is neither. */
const momentOf = (text: string | undefined, now: string): string | undefined => {
  if (text === undefined) return undefined;
  return isDuration(text) ? momentText({ kind: 'now', duration: text }, now) : readDate(text, 'ranges');
};

/** The buckets of an aggregate that are there whatever is found; none of one whose values make them. */
export function rangesOf(aggregate: AggregateDefinition, now: string): readonly Range[] {
  switch (aggregate.type) {
    case 'range':
      return aggregate.ranges.map(({ key, from, to }) => ({ key, from, to }));
    case 'date_range':
      return aggregate.ranges.map(({ key, from, to }) => ({
        key,
        ...{ from: momentOf(from, now), to: momentOf(to, now) },
      }));
    default:
      return [];
  }
}

type Histogram = Extract<AggregateDefinition, { type: 'histogram' | 'date_histogram' }>;
type Interval = (typeof intervals)[number];

/** What each interval adds to a moment, and how many characters of a moment name it. */
const steps: Readonly<Record<Interval, { duration: string; digits: number }>> = {
  year: { duration: 'P1Y', digits: 'YYYY'.length },
  month: { duration: 'P1M', digits: 'YYYY-MM'.length },
  day: { duration: 'P1D', digits: 'YYYY-MM-DD'.length },
};

/** How many characters of a moment name the interval that it is in. */
export const digitsOf = (interval: Interval): number => steps[interval].digits;

/** The bucket of a histogram with this key. @throws Invalid naming the aggregate. */
function stepAt(aggregate: Histogram, key: string): Range & { readonly from: number | string } {
  const { id } = aggregate;
  if (aggregate.type === 'histogram') {
    const from = Number(literalOf('number', id, key));
    return { key: String(from), from, to: from + aggregate.interval };
  }
  const { duration, digits } = steps[aggregate.interval];
  const from = readDate(key.slice(0, digits), id);
  // Beyond the last year there is no moment, and nothing that would have to be kept out.
  const to = from.startsWith('9999') ? undefined : momentText({ kind: 'now', duration }, from);
  return { key: key.slice(0, digits), from, to };
}

/** A range, or a term alone, with how many documents are in it. */
export interface Bucket extends Partial<Pick<Range, 'from' | 'to'>> {
  readonly key: string;
  readonly docCount: number;
}

/** The buckets of an aggregate by what was counted: terms the most frequent first, others from the least value on. */
export function bucketsOf(
  aggregate: AggregateDefinition,
  counted: ReadonlyArray<{ readonly key: string; readonly total: number }>,
  now: string,
): readonly Bucket[] {
  const totals = new Map(counted.map(({ key, total }) => [key, total]));
  if (aggregate.type === 'terms') return counted.map(({ key, total }) => ({ key, docCount: total }));
  if ('ranges' in aggregate)
    return rangesOf(aggregate, now).map((range) => ({ ...range, docCount: totals.get(range.key) ?? 0 }));
  const steps = counted.map(({ key, total }) => ({ ...stepAt(aggregate, key), docCount: total }));
  return steps.sort((a, b) => (a.from < b.from ? -1 : 1));
}

/** The range that a key names. @throws Invalid naming the parameter. */
function rangeOf(
  aggregate: Exclude<AggregateDefinition, { type: 'terms' }>,
  key: string,
  now: string,
): Range {
  if (!('ranges' in aggregate)) return stepAt(aggregate, key);
  const { id } = aggregate;
  const ranges = rangesOf(aggregate, now);
  const range = ranges.find((each) => each.key === key);
  if (!range)
    throw new Invalid(`${id}: "${key.slice(0, 80)}" is none of ${ranges.map((each) => each.key).join(', ')}`);
  return range;
}

const asLiteral = (value: number | string): Literal =>
  typeof value === 'number' ? value : { kind: 'moment', iso: value };

/** That one value is in a range. */
function within(property: string, { from, to }: Range): Condition {
  if (from !== undefined && to !== undefined)
    return { kind: 'between', property, from: asLiteral(from), to: asLiteral(to), isHalfOpen: true };
  if (from !== undefined) return { kind: 'compare', property, op: '>=', value: asLiteral(from) };
  if (to !== undefined) return { kind: 'compare', property, op: '<', value: asLiteral(to) };
  return { kind: 'not', of: { kind: 'isNull', property } };
}

/** What documents are that are in one of some buckets; nothing where none is named. @throws Invalid naming the parameter. */
export function selecting(
  aggregate: AggregateDefinition,
  keys: readonly string[],
  { kind, now }: { kind: Kind; now: string },
): Condition | undefined {
  const { id, property } = aggregate;
  if (keys.length === 0) return undefined;
  if (aggregate.type === 'terms')
    return { kind: 'in', property, values: keys.map((key) => literalOf(kind, id, key)) };
  return anyOf(keys.map((key) => within(property, rangeOf(aggregate, key, now))));
}
