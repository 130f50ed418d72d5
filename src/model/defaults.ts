import type { Model, Schema } from './model.ts';
import { readDate } from './values/read-value.ts';
import type { StoredProperties } from './values/stored.ts';

/** The default values of schemas, by xpath. */
export function defaultProperties(schemas: readonly Schema[]): StoredProperties {
  const found: StoredProperties = {};
  for (const { properties } of schemas) {
    for (const { xpath, type, default: value } of properties.values()) {
      if (value !== undefined) found[xpath] = type === 'date' ? readDate(value, xpath) : value;
    }
  }
  return found;
}

const known = new WeakMap<Model, Map<string, Readonly<StoredProperties>>>();

/** What a new document of a type begins with; always the same object. */
export function typeDefaults(model: Model, type: string): Readonly<StoredProperties> {
  const ofModel = known.get(model) ?? new Map<string, Readonly<StoredProperties>>();
  known.set(model, ofModel);
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

/** The same with those of facets that the document has besides. */
export function firstDefaults(
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
