import type { Directory, Property } from './model.ts';
import { showValue } from './show-value.ts';
import type { StoredProperties } from './stored.ts';

/** No directory has fields for blobs. */
const noBlob = () => null;

/**
 * §2.4: the fields of an entry, set or not, its id among them; secrets are empty.
 * @param translate what stands for a text of a field.
 */
export function showEntry(
  { schema, idField, secrets }: Directory,
  entry: { readonly id: string; readonly properties: StoredProperties },
  translate: (name: string, text: string) => string = (_, text) => text,
): Record<string, unknown> {
  const show = (field: Property): unknown => {
    const { name } = field;
    if (name === idField) return field.type === 'long' ? Number(entry.id) : entry.id;
    if (secrets.has(name)) return '';
    const value = showValue(field, entry.properties[name], name, noBlob);
    return typeof value === 'string' ? translate(name, value) : value;
  };
  return Object.fromEntries([...schema.properties].map(([name, field]) => [name, show(field)]));
}
