import { Invalid } from '../../errors.ts';
import { isTurnOver, yieldToEventLoop } from '../../event-loop.ts';
import type { Schema } from '../../model/model.ts';
import { requireLabels } from '../../model/tags.ts';
import { keyOf, type StoredProperties, type StoredValue } from '../../model/values/stored.ts';
import { resolveXpathIn, valueAtLocation, withValue } from '../../model/values/value-location.ts';

/**
 * How a list in a change is applied to the stored list. `replace` replaces the stored list; `append` adds all items;
 * `join` adds only the items that the stored list does not contain yet; `remove` removes every item that equals one in
 * the change; `removeFirst` removes only the first such item. A number removes the item at that index, counting from 0.
 */
export type ListChange = 'replace' | 'append' | 'join' | 'remove' | 'removeFirst' | number;

const without = (list: readonly StoredValue[], at: number): StoredValue[] =>
  list.filter((_, index) => index !== at);

function changed(
  before: readonly StoredValue[],
  items: readonly StoredValue[],
  change: ListChange,
): StoredValue[] {
  if (change === 'replace') return [...items];
  if (change === 'append') return [...before, ...items];
  if (typeof change === 'number') return without(before, change);
  if (change === 'join') {
    const known = new Set(before.map(keyOf));
    return [...before, ...items.filter((item) => known.size !== known.add(keyOf(item)).size)];
  }
  const keys = new Set(items.map(keyOf));
  const isNamed = (item: StoredValue) => keys.has(keyOf(item));
  if (change === 'remove') return before.filter((item) => !isNamed(item));
  return without(before, before.findIndex(isNamed));
}

/**
 * The value of a property after a change.
 * @throws Invalid if the change applies to a list and the value is not a list
 */
function valueAfter(
  xpath: string,
  { value, before = [] }: { value: StoredValue; before: StoredValue | undefined },
  change: ListChange,
): StoredValue {
  if (change === 'replace') return value;
  if (!Array.isArray(value) || !Array.isArray(before))
    throw new Invalid(`${xpath} is not a list, so nothing can be added to it or removed from it.`);
  return changed(before, value, change);
}

/**
 * Applies values to the stored properties. Each value is placed at its xpath, which can point inside a property.
 * @param change `values` contains the values by xpath, which are applied in order; every xpath belongs to one of the
 * schemas
 * @returns the complete values of the changed properties, by property xpath
 * @throws Invalid for a list change to a value that is not a list, an xpath that points to a missing item, and a tag
 * without a label
 */
export async function applyPropertyChanges(
  schemas: readonly Schema[],
  stored: StoredProperties,
  {
    values,
    lists = {},
  }: { values: StoredProperties; lists?: Readonly<Record<string, ListChange>> | undefined },
): Promise<StoredProperties> {
  const result: StoredProperties = {};
  const copies = new WeakSet<object>();
  for (const [xpath, value] of Object.entries(values)) {
    if (isTurnOver()) await yieldToEventLoop();
    const place = resolveXpathIn(schemas, xpath);
    if (!place) throw new Error(`${xpath} does not belong to any of the schemas`);
    const change = lists[xpath] ?? 'replace';
    if (change === 'replace' && place.steps.length === 0) {
      result[xpath] = value;
      continue;
    }
    const top = place.topProperty.xpath;
    const now = Object.hasOwn(result, top) ? result : stored;
    const own = valueAfter(xpath, { value, before: valueAtLocation(place, now) }, change);
    const whole = withValue(place, now, own, copies);
    if (whole === undefined) throw new Invalid(`${xpath}: The list has no such item.`);
    result[top] = whole;
  }
  requireLabels(result);
  return result;
}
