import type { Property, Schema } from '../model.ts';
import {
  asBlob,
  fieldOf,
  isFields,
  type StoredBlob,
  type StoredProperties,
  type StoredValue,
} from './stored.ts';

/** Renders a blob for a response, including the URL of its bytes. */
export type RenderBlob = (blob: StoredBlob, xpath: string) => unknown;

function renderOne(property: Property, value: StoredValue, xpath: string, renderBlob: RenderBlob): unknown {
  if (property.type === 'blob') {
    const blob = asBlob(value);
    return blob ? renderBlob(blob, xpath) : null;
  }
  if (property.type !== 'complex' || !isFields(value)) return value;
  const fields: Record<string, unknown> = {};
  for (const [name, field] of property.fields) {
    fields[name] = renderValue(field, fieldOf(value, name), `${xpath}/${name}`, renderBlob);
  }
  return fields;
}

/**
 * Renders a stored value for a response. Scalars that are not set are null, and lists that are not set are empty
 * (§2.1).
 */
export function renderValue(
  property: Property,
  value: StoredValue | undefined,
  xpath: string,
  renderBlob: RenderBlob,
): unknown {
  if (property.many) {
    const items = Array.isArray(value) ? value : [];
    if (property.type !== 'blob' && property.type !== 'complex') return items;
    return items.map((item, index) => renderOne(property, item, `${xpath}/${index}`, renderBlob));
  }
  return value === undefined || value === null ? null : renderOne(property, value, xpath, renderBlob);
}

interface Plan {
  /**
   * All properties in order, each with the value that means "not set". Copying this object is much faster than
   * assigning the properties one by one.
   */
  readonly unset: Readonly<Record<string, null | readonly []>>;
  /** The properties whose stored values have to be converted. */
  readonly special: readonly Property[];
}

const plans = new WeakMap<readonly Schema[], Plan>();

/**
 * Returns the rendering plan for a set of schemas. It is cached, because the documents on a page share their schemas.
 */
function planOf(schemas: readonly Schema[]): Plan {
  const cached = plans.get(schemas);
  if (cached) return cached;
  const all = schemas.flatMap(({ properties }) => [...properties.values()]);
  const unset = Object.fromEntries(all.map(({ xpath, many }) => [xpath, many ? [] : null]));
  // V8 copies the result of JSON.parse faster than an object built property by property.
  const plan: Plan = {
    unset: JSON.parse(JSON.stringify(unset)),
    special: all.filter(({ type }) => type === 'blob' || type === 'complex'),
  };
  plans.set(schemas, plan);
  return plan;
}

/** Renders all properties of the schemas by xpath, including those that are not set. */
export function renderProperties(
  schemas: readonly Schema[],
  stored: StoredProperties,
  renderBlob: RenderBlob,
): Record<string, unknown> {
  const { unset, special } = planOf(schemas);
  const rendered: Record<string, unknown> = { ...unset };
  for (const xpath of Object.keys(stored)) {
    if (Object.hasOwn(unset, xpath)) rendered[xpath] = stored[xpath] ?? unset[xpath];
  }
  for (const property of special) {
    const { xpath } = property;
    rendered[xpath] = renderValue(property, stored[xpath], xpath, renderBlob);
  }
  return rendered;
}
