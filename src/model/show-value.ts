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

/** A property and how its value is shown; most are shown as they are. */
interface Shown {
  readonly xpath: string;
  readonly property: Property;
  /** What stands for a value that is not set, where a value that is set is shown as it is stored. */
  readonly unset: null | readonly [] | undefined;
}

const plans = new WeakMap<readonly Schema[], readonly Shown[]>();

/** The properties of some schemas in one list, made once: a page of documents walks it for each of them. */
function planOf(schemas: readonly Schema[]): readonly Shown[] {
  const known = plans.get(schemas);
  if (known) return known;
  const plan = schemas.flatMap(({ properties }) =>
    [...properties.values()].map((property): Shown => {
      const isPlain = property.type !== 'blob' && property.type !== 'complex';
      return { xpath: property.xpath, property, unset: isPlain ? (property.many ? [] : null) : undefined };
    }),
  );
  plans.set(schemas, plan);
  return plan;
}

/** Every property of the schemas, set or not, by xpath. */
export function showProperties(
  schemas: readonly Schema[],
  stored: StoredProperties,
  showBlob: ShowBlob,
): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const { xpath, property, unset } of planOf(schemas)) {
    const value = stored[xpath];
    shown[xpath] = unset === undefined ? showValue(property, value, xpath, showBlob) : (value ?? unset);
  }
  return shown;
}
