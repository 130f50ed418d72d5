import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '../errors.ts';
import type { Schema } from '../model/model.ts';
import type { StoredProperties, StoredValue } from '../model/stored.ts';
import { requireLabels } from '../model/tags.ts';
import { placeIn, storedAt, withValue } from '../model/value-at.ts';

/**
 * What a list in a change does to the list that is there: stand in its place, be put behind it, or the new ones of it;
 * have what it has taken out, wherever it is or where it is first. A number takes out what is at that place, from 0.
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
  const isGiven = (item: StoredValue) => given.some((known) => isDeepStrictEqual(known, item));
  if (change === 'remove') return before.filter((item) => !isGiven(item));
  if (change === 'removeFirst') return without(before, before.findIndex(isGiven));
  const all = [...before];
  for (const item of given) if (!all.some((known) => isDeepStrictEqual(known, item))) all.push(item);
  return all;
}

/** What a place holds after a change. @throws Invalid when a list is meant, and is not there. */
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
 * What a change makes of the properties that it is about, by their own xpaths: values are put where they belong, within
 * what is stored, and lists where it is asked for behind those that are there, or taken out of them.
 * @param given by xpath, of places that the schemas have; one after the other.
 * @throws Invalid when a list is meant where there is none, or an item that is not in its list; on a tag without a label.
 */
export function placed(
  schemas: readonly Schema[],
  stored: StoredProperties,
  {
    given,
    lists = {},
  }: { given: StoredProperties; lists?: Readonly<Record<string, ListChange>> | undefined },
): StoredProperties {
  const result: StoredProperties = {};
  for (const [xpath, value] of Object.entries(given)) {
    const place = placeIn(schemas, xpath);
    if (!place) throw new Error(`${xpath} is no place that was read`);
    const now = { ...stored, ...result };
    const own = valueAfter(xpath, { value, before: storedAt(place, now) }, lists[xpath] ?? 'replace');
    const whole = withValue(place, now, own);
    if (whole === undefined) throw new Invalid(`${xpath}: there is no such item`);
    result[place.top.xpath] = whole;
  }
  requireLabels(result);
  return result;
}
