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

/** Every property of the schemas, set or not, by xpath. */
export function showProperties(
  schemas: readonly Schema[],
  stored: StoredProperties,
  showBlob: ShowBlob,
): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const schema of schemas) {
    for (const property of schema.properties.values()) {
      shown[property.xpath] = showValue(property, stored[property.xpath], property.xpath, showBlob);
    }
  }
  return shown;
}
