import { Faults } from '../../errors.ts';
import type { Schema } from '../../model/model.ts';
import { nothingPending, readValue } from '../../model/values/read-value.ts';
import type { StoredProperties, StoredValue } from '../../model/values/stored.ts';

/**
 * Reads properties by their names without a prefix, as in entities with a single schema (users, directory
 * entries); `null` clears.
 * @throws Invalid that names each unknown property and each value of a wrong type
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
