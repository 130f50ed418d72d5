import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '../errors.ts';
import type { StoredProperties, StoredValue } from '../model/stored.ts';

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

/**
 * The properties given, with lists put behind those that are stored, or taken out of them, where that is asked for.
 * @throws Invalid when it is asked for where there is no list.
 */
export function withLists(
  stored: StoredProperties,
  given: StoredProperties,
  changes: Readonly<Record<string, ListChange>> = {},
): StoredProperties {
  const result = { ...given };
  for (const [xpath, change] of Object.entries(changes)) {
    const [value, before = []] = [given[xpath], stored[xpath]];
    if (!Array.isArray(value) || !Array.isArray(before)) {
      if (change === 'replace') continue;
      throw new Invalid(`${xpath} is no list that something can be put into or taken out of`);
    }
    result[xpath] = changed(before, value, change);
  }
  return result;
}
