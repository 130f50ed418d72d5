import { Invalid } from '../../errors.ts';
import { isTurnOver, yieldToEventLoop } from '../../event-loop.ts';
import type { Schema } from '../../model/model.ts';
import { requireLabels } from '../../model/tags.ts';
import { keyOf, type StoredProperties, type StoredValue } from '../../model/values/stored.ts';
import { resolveXpathIn, valueAtLocation, withValue } from '../../model/values/value-location.ts';

/**
 * What the list in a change does to the stored list: `append` adds all items, `join` those that are new;
 * `remove` takes out every equal item, `removeFirst` the first one alone. A number removes the item at that
 * index, from 0.
 */
export type ListChange = 'replace' | 'append' | 'join' | 'remove' | 'removeFirst' | number;

const without = (list: readonly StoredValue[], at: number): StoredValue[] =>
  list.filter((_, index) => index !== at);

function changed(
  before: readonly StoredValue[],
  given: readonly StoredValue[],
  change: ListChange,
): StoredValue[] {
  if (change === 'replace') return [...given];
  if (change === 'append') return [...before, ...given];
  if (typeof change === 'number') return without(before, change);
  if (change === 'join') {
    const known = new Set(before.map(keyOf));
    return [...before, ...given.filter((item) => known.size !== known.add(keyOf(item)).size)];
  }
  const keys = new Set(given.map(keyOf));
  const isGiven = (item: StoredValue) => keys.has(keyOf(item));
  if (change === 'remove') return before.filter((item) => !isGiven(item));
  return without(before, before.findIndex(isGiven));
}

/** @throws Invalid when the change is for a list and the value is none. */
function valueAfter(
  xpath: string,
  { value, before = [] }: { value: StoredValue; before: StoredValue | undefined },
  change: ListChange,
): StoredValue {
  if (change === 'replace') return value;
  if (!Array.isArray(value) || !Array.isArray(before))
    throw new Invalid(`${xpath} is no list that something can be put into or taken out of`);
  return changed(before, value, change);
}

/**
 * The changed properties, whole, by their own xpaths: each value is put at its location within the stored
 * property.
 * @param given by xpath, applied in order; the schemas have every xpath.
 * @throws Invalid when a list change meets no list; on an xpath to a missing item, and a tag without a label.
 */
export async function applyPropertyChanges(
  schemas: readonly Schema[],
  stored: StoredProperties,
  {
    given,
    lists = {},
  }: { given: StoredProperties; lists?: Readonly<Record<string, ListChange>> | undefined },
): Promise<StoredProperties> {
  const result: StoredProperties = {};
  const copies = new WeakSet<object>();
  for (const [xpath, value] of Object.entries(given)) {
    if (isTurnOver()) await yieldToEventLoop();
    const place = resolveXpathIn(schemas, xpath);
    if (!place) throw new Error(`${xpath} is no place that was read`);
    const change = lists[xpath] ?? 'replace';
    if (change === 'replace' && place.steps.length === 0) {
      result[xpath] = value;
      continue;
    }
    const top = place.topProperty.xpath;
    const now = Object.hasOwn(result, top) ? result : stored;
    const own = valueAfter(xpath, { value, before: valueAtLocation(place, now) }, change);
    const whole = withValue(place, now, own, copies);
    if (whole === undefined) throw new Invalid(`${xpath}: there is no such item`);
    result[top] = whole;
  }
  requireLabels(result);
  return result;
}
