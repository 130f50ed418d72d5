import { Invalid } from '../errors.ts';
import type { Directory } from '../model/model.ts';
import { readValue } from '../model/read-value.ts';
import type { StoredProperties } from '../model/stored.ts';

/**
 * Reads what fields of entries must hold, as JSON by name.
 * @throws Invalid on a field that entries do not have or do not show, or a value of another type.
 */
export function readFilter(
  { name: directory, schema, idField, secrets }: Directory,
  json: Readonly<Record<string, unknown>>,
): StoredProperties {
  const filter: StoredProperties = {};
  for (const [name, value] of Object.entries(json)) {
    const field = schema.properties.get(name);
    if (!field || name === idField || secrets.has(name)) {
      throw new Invalid(`filter: entries of ${directory} cannot be filtered by ${name}`);
    }
    if (value === null) throw new Invalid(`filter: ${name} needs a value`);
    readValue(field, value, (stored) => (filter[name] = stored), []);
  }
  return filter;
}
