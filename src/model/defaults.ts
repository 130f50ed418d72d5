import type { Model, Schema } from './model.ts';
import { readDate } from './values/read-value.ts';
import type { StoredProperties } from './values/stored.ts';

/** Returns the default values of the properties in the given schemas, by xpath. */
export function defaultProperties(schemas: readonly Schema[]): StoredProperties {
  const found: StoredProperties = {};
  for (const { properties } of schemas) {
    for (const { xpath, type, default: value } of properties.values()) {
      if (value !== undefined) found[xpath] = type === 'date' ? readDate(value, xpath) : value;
    }
  }
  return found;
}

const cache = new WeakMap<Model, Map<string, Readonly<StoredProperties>>>();

/** Returns the property values of a new document of a type. The same frozen object is returned each time. */
export function typeDefaults(model: Model, type: string): Readonly<StoredProperties> {
  const ofModel = cache.get(model) ?? new Map<string, Readonly<StoredProperties>>();
  cache.set(model, ofModel);
  const defaults = ofModel.get(type) ?? Object.freeze(defaultsOf(model, type));
  ofModel.set(type, defaults);
  return defaults;
}

function defaultsOf(model: Model, type: string): StoredProperties {
  const schemas = model.schemasOf(type, []);
  const icon = model.types.get(type)?.icon;
  const hasIcon = icon !== undefined && schemas.some(({ name }) => name === 'common');
  return { ...defaultProperties(schemas), ...(hasIcon && { 'common:icon': icon }) };
}

/** Returns the property values of a new document: the defaults of its type and of its additional facets. */
export function newDocumentDefaults(
  model: Model,
  type: string,
  facets: readonly string[],
): Readonly<StoredProperties> {
  const defaults = typeDefaults(model, type);
  if (facets.length === 0) return defaults;
  const ofType = model.schemasOf(type, []);
  const others = model.schemasOf(type, facets).filter((schema) => !ofType.includes(schema));
  return { ...defaults, ...defaultProperties(others) };
}
