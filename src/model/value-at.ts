import type { Property, Schema } from './model.ts';
import { fieldOf, isFields, isUnset, type StoredProperties, type StoredValue } from './stored.ts';

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

/** From a property to a place in it: fields of complex values, and positions in lists from 0. */
type Steps = ReadonlyArray<string | number>;

/** A place in a document. */
export interface Place {
  /** The property of a schema that it is in. */
  readonly top: Property;
  readonly steps: Steps;
  /** What it holds, at its own xpath: an item of a list is one value. */
  readonly property: Property;
}

/**
 * What an xpath means: `dc:title`, `files:files/0/file`, or the same as `files:files[0]/file`.
 * @param find the property of an xpath without a slash.
 * @returns undefined when there is no such place; whether a list is so long is another question.
 */
export function placeOf(find: (xpath: string) => Property | undefined, xpath: string): Place | undefined {
  const [first = '', ...names] = xpath.replace(/\[(\d+)\]/g, '/$1').split('/');
  const top = find(first);
  if (!top) return undefined;
  const steps: Array<string | number> = [];
  let property = top;
  for (const name of names) {
    if (property.many) {
      if (!/^\d{1,9}$/.test(name)) return undefined;
      steps.push(Number(name));
      property = { ...property, many: false };
    } else {
      const field = property.fields.get(name);
      if (!field) return undefined;
      steps.push(name);
      property = field;
    }
  }
  return { top, steps, property: { ...property, xpath: [top.xpath, ...steps].join('/') } };
}

/** The place of an xpath in documents of some schemas. */
export const placeIn = (schemas: readonly Schema[], xpath: string): Place | undefined =>
  placeOf((first) => propertyOf(schemas, first), xpath);

/** What is stored at a place, if anything. */
export function storedAt({ top, steps }: Place, stored: StoredProperties): StoredValue | undefined {
  let value: StoredValue | undefined = stored[top.xpath];
  for (const step of steps) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined;
    else value = isFields(value) ? fieldOf(value, step) : undefined;
  }
  return value;
}

function replaced(
  whole: StoredValue | undefined,
  [step, ...steps]: Steps,
  value: StoredValue,
): StoredValue | undefined {
  if (step === undefined) return value;
  if (typeof step === 'string') {
    const fields = isFields(whole) ? whole : {};
    const field = replaced(fieldOf(fields, step), steps, value);
    if (field === undefined) return undefined;
    const { [step]: _, ...others } = fields;
    return isUnset(field) ? others : { ...fields, [step]: field };
  }
  if (!Array.isArray(whole) || step >= whole.length) return undefined;
  const item = replaced(whole[step], steps, value);
  if (item === undefined) return undefined;
  return item === null ? whole.toSpliced(step, 1) : whole.with(step, item);
}

/**
 * The whole property with another value at a place in it; null clears a field, and takes an item out of its list.
 * @returns undefined when there is no such item.
 */
export const withValue = (
  { top, steps }: Place,
  stored: StoredProperties,
  value: StoredValue,
): StoredValue | undefined => replaced(stored[top.xpath], steps, value);

/** A place and what is there. */
export interface Found {
  readonly property: Property;
  readonly value: StoredValue | undefined;
}

/**
 * What an xpath leads to in a document.
 * @returns undefined when the schemas have no such place; a place may well be empty.
 */
export function valueAt(
  schemas: readonly Schema[],
  stored: StoredProperties,
  xpath: string,
): Found | undefined {
  const place = placeIn(schemas, xpath);
  return place && { property: place.property, value: storedAt(place, stored) };
}
