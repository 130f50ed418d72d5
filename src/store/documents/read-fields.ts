import { Invalid, readEach } from '../../errors.ts';
import type { Schema } from '../../model/model.ts';
import { nothingPending, readValue } from '../../model/values/read-value.ts';
import type { StoredProperties, StoredValue } from '../../model/values/stored.ts';

/**
 * Reads properties by bare names, as in entities of a single schema (users, entries); `null` clears.
 * @throws Invalid naming each unknown property and each value of another type.
 */
export function readFields(schema: Schema, json: Readonly<Record<string, unknown>>): StoredProperties {
  const given: StoredProperties = {};
  readEach(Object.entries(json), ([name, value]) => {
    const property = schema.properties.get(name);
    if (!property) throw new Invalid(`unknown property: ${name}`);
    const put = (stored: StoredValue) => {
      given[name] = stored;
    };
    readValue(property, value, put, nothingPending());
  });
  return given;
}
