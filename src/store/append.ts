import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '../errors.ts';
import type { StoredProperties, StoredValue } from '../model/stored.ts';

/** What a list in a change does to the list that is there: stand in its place, be put behind it, or the new ones of it. */
export type ListChange = 'replace' | 'append' | 'join';

function changed(
  before: readonly StoredValue[],
  given: readonly StoredValue[],
  change: ListChange,
): StoredValue[] {
  if (change === 'replace') return [...given];
  if (change === 'append') return [...before, ...given];
  const all = [...before];
  for (const item of given) if (!all.some((known) => isDeepStrictEqual(known, item))) all.push(item);
  return all;
}

/**
 * The properties given, with lists put behind those that are stored where that is asked for.
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
      throw new Invalid(`${xpath} is no list that something can be put behind`);
    }
    result[xpath] = changed(before, value, change);
  }
  return result;
}
