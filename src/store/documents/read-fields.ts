import { Faults } from '../../errors.ts';
import type { Schema } from '../../model/model.ts';
import { nothingPending, readValue } from '../../model/values/read-value.ts';
import type { StoredProperties, StoredValue } from '../../model/values/stored.ts';

/**
 * Reads properties by their names without a prefix, as used in entities with a single schema (users, directory
 * entries); `null` clears a property.
 * @throws Invalid with the name of each unknown property and of each value of the wrong type
 */
export function readFields(schema: Schema, json: Readonly<Record<string, unknown>>): StoredProperties {
  const values: StoredProperties = {};
  const faults = new Faults();
  for (const name of Object.keys(json)) {
    const property = schema.properties.get(name);
    if (!property) {
      faults.add(() => `unknown property: ${name}`);
      continue;
    }
    const put = (stored: StoredValue) => {
      values[name] = stored;
    };
    readValue(property, json[name], put, { pending: nothingPending(), faults });
  }
  faults.requireNone();
  return values;
}
