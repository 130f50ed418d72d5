import type { Schema } from './model.ts';
import { readDate } from './read-value.ts';
import type { StoredProperties } from './stored.ts';

/** What new documents, or entries, of these schemas start with, by xpath. */
export function defaults(schemas: readonly Schema[]): StoredProperties {
  const found: StoredProperties = {};
  for (const { properties } of schemas) {
    for (const { xpath, type, default: value } of properties.values()) {
      if (value !== undefined) found[xpath] = type === 'date' ? readDate(value, xpath) : value;
    }
  }
  return found;
}
