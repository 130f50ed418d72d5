import type { Property, Schema } from './model.ts';
import { fieldOf, isFields, type StoredProperties, type StoredValue } from './stored.ts';

/** The property of some schemas that has this xpath. */
export function propertyOf(schemas: readonly Schema[], xpath: string): Property | undefined {
  const colon = xpath.indexOf(':');
  if (colon < 0) return undefined;
  const [prefix, name] = [xpath.slice(0, colon), xpath.slice(colon + 1)];
  for (const schema of schemas) {
    const property = schema.prefix === prefix ? schema.properties.get(name) : undefined;
    if (property) return property;
  }
  return undefined;
}

/** A place in a document and what is there. */
export interface Place {
  readonly property: Property;
  readonly value: StoredValue | undefined;
}

/**
 * What an xpath leads to: `dc:title`, `files:files/0/file`.
 * @returns undefined when the schemas have no such place; a place may well be empty.
 */
export function valueAt(
  schemas: readonly Schema[],
  stored: StoredProperties,
  xpath: string,
): Place | undefined {
  const [first = '', ...steps] = xpath.split('/');
  let property = propertyOf(schemas, first);
  let value: StoredValue | undefined = stored[first];
  let isItem = false;
  for (const step of steps) {
    if (!property) return undefined;
    if (property.many && !isItem) {
      if (!/^\d{1,9}$/.test(step)) return undefined;
      value = Array.isArray(value) ? value[Number(step)] : undefined;
      isItem = true;
    } else {
      value = isFields(value) ? fieldOf(value, step) : undefined;
      property = property.fields.get(step);
      isItem = false;
    }
  }
  return property && { property, value };
}
