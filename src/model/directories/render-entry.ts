import type { Directory, Property } from '../model.ts';
import { renderValue } from '../values/render-value.ts';
import type { StoredProperties } from '../values/stored.ts';

const noBlob = () => null; // directories cannot have blob fields

/**
 * §2.4: all fields of an entry, including its id; secrets are empty strings.
 * @param translate converts string values.
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
