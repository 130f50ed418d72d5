import type { Directory, Property } from '../model.ts';
import { renderValue } from '../values/render-value.ts';
import type { StoredProperties } from '../values/stored.ts';

const noBlob = () => null; // Directories cannot have blob fields.

/**
 * Returns all fields of an entry, including its id (§2.4). Secrets are replaced with empty strings.
 * @param translate called for each string field; returns the string to show
 */
export function renderEntry(
  { schema, idField, secrets }: Directory,
  entry: { readonly id: string; readonly properties: StoredProperties },
  translate: (name: string, text: string) => string = (_, text) => text,
): Record<string, unknown> {
  const render = (field: Property): unknown => {
    const { name } = field;
    if (name === idField) return field.type === 'long' ? Number(entry.id) : entry.id;
    if (secrets.has(name)) return '';
    const value = renderValue(field, entry.properties[name], name, noBlob);
    return typeof value === 'string' ? translate(name, value) : value;
  };
  const shown: Record<string, unknown> = {};
  for (const [name, field] of schema.properties) shown[name] = render(field);
  return shown;
}
