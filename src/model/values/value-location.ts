import type { Property, Schema } from '../model.ts';
import { fieldOf, isFields, isUnset, type StoredProperties, type StoredValue } from './stored.ts';

export function topLevelProperty(schemas: readonly Schema[], xpath: string): Property | undefined {
  const colon = xpath.indexOf(':');
  if (colon < 0) return undefined;
  const [prefix, name] = [xpath.slice(0, colon), xpath.slice(colon + 1)];
  for (const schema of schemas) {
    const property = schema.prefix === prefix ? schema.properties.get(name) : undefined;
    if (property) return property;
  }
  return undefined;
}

/** The steps from a property to a value inside it: names of sub-fields, and zero-based indexes of list items. */
type Steps = ReadonlyArray<string | number>;

interface ValueLocation {
  readonly topProperty: Property;
  readonly steps: Steps;
  /** The property at the location, with the xpath of the location. For a list item, `many` is false. */
  readonly property: Property;
}

/**
 * Resolves an xpath such as `dc:title`, `files:files/0/file` or `files:files[0]/file`, without checking whether a list
 * contains the item.
 * @param find finds a top-level property
 * @returns undefined if the schemas do not have the xpath
 */
export function resolveXpath(
  find: (xpath: string) => Property | undefined,
  xpath: string,
): ValueLocation | undefined {
  if (!/[[/]/.test(xpath)) {
    const property = find(xpath);
    return property && { topProperty: property, steps: [], property };
  }
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
  return { topProperty: top, steps, property: { ...property, xpath: [top.xpath, ...steps].join('/') } };
}

export const resolveXpathIn = (schemas: readonly Schema[], xpath: string): ValueLocation | undefined =>
  resolveXpath((first) => topLevelProperty(schemas, first), xpath);

export function valueAtLocation(
  { topProperty, steps }: ValueLocation,
  stored: StoredProperties,
): StoredValue | undefined {
  let value: StoredValue | undefined = stored[topProperty.xpath];
  for (const step of steps) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined;
    else value = isFields(value) ? fieldOf(value, step) : undefined;
  }
  return value;
}

function replaceAt(
  container: StoredValue | undefined,
  [step, ...steps]: Steps,
  value: StoredValue,
  copies: WeakSet<object>,
): StoredValue | undefined {
  const own = <Copy extends object>(found: Copy, copy: (found: Copy) => Copy): Copy => {
    const mine = copies.has(found) ? found : copy(found);
    copies.add(mine);
    return mine;
  };
  if (step === undefined) return value;
  if (typeof step === 'string') {
    const fields = isFields(container) ? container : {};
    const field = replaceAt(fieldOf(fields, step), steps, value, copies);
    if (field === undefined) return undefined;
    const mine = own(fields, (found) => ({ ...found }));
    if (isUnset(field)) delete mine[step];
    else mine[step] = field;
    return mine;
  }
  if (!Array.isArray(container) || step >= container.length) return undefined;
  const item = replaceAt(container[step], steps, value, copies);
  if (item === undefined) return undefined;
  const mine = own(container, (found) => [...found]);
  if (item === null) mine.splice(step, 1);
  else mine[step] = item;
  return mine;
}

/**
 * Returns a copy of the top-level property's value with a new value at the location. Null clears a field or removes an
 * item.
 * @param copies the objects copied by earlier calls, which are changed instead of being copied again
 * @returns undefined if a list on the path does not contain the item
 */
export const withValue = (
  { topProperty, steps }: ValueLocation,
  stored: StoredProperties,
  value: StoredValue,
  copies = new WeakSet<object>(),
): StoredValue | undefined => replaceAt(stored[topProperty.xpath], steps, value, copies);

/** Returns the value at an xpath of a document. Returns undefined if the schemas do not have the xpath. */
export function valueAt(
  schemas: readonly Schema[],
  stored: StoredProperties,
  xpath: string,
): { readonly property: Property; readonly value: StoredValue | undefined } | undefined {
  const location = resolveXpathIn(schemas, xpath);
  return location && { property: location.property, value: valueAtLocation(location, stored) };
}
