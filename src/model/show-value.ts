import type { Property, Schema } from './model.ts';
import {
  asBlob,
  fieldOf,
  isFields,
  type StoredBlob,
  type StoredProperties,
  type StoredValue,
} from './stored.ts';

/** How a blob is shown; where its bytes are is up to the caller. */
export type ShowBlob = (blob: StoredBlob, xpath: string) => unknown;

function showOne(property: Property, value: StoredValue, xpath: string, showBlob: ShowBlob): unknown {
  if (property.type === 'blob') {
    const blob = asBlob(value);
    return blob ? showBlob(blob, xpath) : null;
  }
  if (property.type !== 'complex' || !isFields(value)) return value;
  const shown: Record<string, unknown> = {};
  for (const [name, field] of property.fields) {
    shown[name] = showValue(field, fieldOf(value, name), `${xpath}/${name}`, showBlob);
  }
  return shown;
}

/** A stored value as answers show it: unset scalars are null, unset lists empty (§2.1). */
export function showValue(
  property: Property,
  value: StoredValue | undefined,
  xpath: string,
  showBlob: ShowBlob,
): unknown {
  if (property.many) {
    const items = Array.isArray(value) ? value : [];
    if (property.type !== 'blob' && property.type !== 'complex') return items;
    return items.map((item, index) => showOne(property, item, `${xpath}/${index}`, showBlob));
  }
  return value === undefined || value === null ? null : showOne(property, value, xpath, showBlob);
}

/** How the properties of some schemas are shown. */
interface Plan {
  /** Every property as it is shown unset, in order. A copy of it is far cheaper than as many assignments. */
  readonly unset: Readonly<Record<string, null | readonly []>>;
  /** Those whose values are not shown as they are stored. */
  readonly special: readonly Property[];
}

const plans = new WeakMap<readonly Schema[], Plan>();

/** Made once for the same schemas: a page of documents uses it for each of them. */
function planOf(schemas: readonly Schema[]): Plan {
  const known = plans.get(schemas);
  if (known) return known;
  const all = schemas.flatMap(({ properties }) => [...properties.values()]);
  const unset = Object.fromEntries(all.map(({ xpath, many }) => [xpath, many ? [] : null]));
  // Through JSON, since the engine copies an object slowly that was put together name by name.
  const plan: Plan = {
    unset: JSON.parse(JSON.stringify(unset)),
    special: all.filter(({ type }) => type === 'blob' || type === 'complex'),
  };
  plans.set(schemas, plan);
  return plan;
}

/** Every property of the schemas, set or not, by xpath. */
export function showProperties(
  schemas: readonly Schema[],
  stored: StoredProperties,
  showBlob: ShowBlob,
): Record<string, unknown> {
  const { unset, special } = planOf(schemas);
  const shown: Record<string, unknown> = { ...unset };
  for (const xpath of Object.keys(stored)) {
    if (Object.hasOwn(unset, xpath)) shown[xpath] = stored[xpath] ?? unset[xpath];
  }
  for (const property of special) {
    const { xpath } = property;
    shown[xpath] = showValue(property, stored[xpath], xpath, showBlob);
  }
  return shown;
}
