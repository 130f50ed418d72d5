import { Invalid } from '../errors.ts';
import type { Schema } from '../model/model.ts';
import { readValue } from '../model/read-value.ts';
import type { StoredProperties, StoredValue } from '../model/stored.ts';

/**
 * Reads properties under their bare names, as entities of a single schema have them; `null` clears.
 * @throws Invalid on a property that the schema does not have, or a value of another type.
 */
export function readFields(schema: Schema, json: Readonly<Record<string, unknown>>): StoredProperties {
  const given: StoredProperties = {};
  for (const [name, value] of Object.entries(json)) {
    const property = schema.properties.get(name);
    if (!property) throw new Invalid(`unknown property: ${name}`);
    const put = (stored: StoredValue) => {
      given[name] = stored;
    };
    readValue(property, value, put, []);
  }
  return given;
}
