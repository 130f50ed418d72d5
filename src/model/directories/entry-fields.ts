import { Faults, Invalid } from '../../errors.ts';
import type { Directory } from '../model.ts';
import { idOrNone, visibleName } from '../names.ts';
import { nothingPending, readValue } from '../values/read-value.ts';
import type { StoredProperties, StoredValue } from '../values/stored.ts';

/** The fields of an entry in a request body or a contributed file, by name. */
export type EntryJson = Readonly<Record<string, unknown>>;

const maxIdBytes = 1000; // An entry of a B-tree index cannot be much larger.

/**
 * Reads a field of an entry. If the field is unknown, this function adds an error and returns undefined; if the value
 * has the wrong type, it adds an error and returns null.
 */
function readField(
  { name: directory, schema, joined }: Directory,
  name: string,
  { input, faults }: { readonly input: unknown; readonly faults: Faults },
): StoredValue | undefined {
  const isTexts = Array.isArray(input) && input.every((text) => typeof text === 'string');
  const field = schema.properties.get(name);
  const isBooleanText = field?.type === 'boolean' && (input === 'true' || input === 'false');
  const json = isTexts && joined.has(name) ? input.join(',') : isBooleanText ? input === 'true' : input;
  if (!field) {
    faults.add(() => `unknown property: entries of ${directory} have no ${name}`);
    return undefined;
  }
  if (name === 'parent' && json === '') return ''; // An entry at the top of a hierarchy has the parent "".
  let value: StoredValue = null;
  const put = (stored: StoredValue) => {
    value = stored;
  };
  // Nothing can be pending, because directory schemas contain neither blobs nor hierarchical values.
  readValue(field, json, put, { pending: nothingPending(), faults });
  return value;
}

/**
 * Returns whether a name refers to the id field (§2.4). `id` is an alias of this field, unless the schema has a field
 * named `id`.
 */
const isId = ({ idField, schema }: Directory, name: string): boolean =>
  name === idField || (name === 'id' && !schema.properties.has('id'));

/**
 * Reads the fields of an entry, except its id. Null clears a field.
 * @throws Invalid if a field is unknown or has the wrong type
 */
export function readEntryFields(directory: Directory, json: EntryJson): StoredProperties {
  const fields: StoredProperties = {};
  const faults = new Faults();
  for (const name of Object.keys(json)) {
    if (isId(directory, name)) continue;
    const stored = readField(directory, name, { input: json[name], faults });
    // Responses contain an empty string instead of a secret. If a client sends the empty string back, it must not
    // overwrite the secret.
    if (stored !== undefined && (stored !== '' || !directory.secrets.has(name))) fields[name] = stored;
  }
  faults.requireNone();
  return fields;
}

/**
 * Returns the id in the properties of a request body, which can be a string or a number; undefined if there is none.
 * @throws Invalid if the id has another type, or if `id` and the id field have different values
 */
export function idInBody(directory: Directory, json: EntryJson): string | undefined {
  const [first, second] = [directory.idField, 'id']
    .filter((name, index, names) => isId(directory, name) && names.indexOf(name) === index)
    .flatMap((name) => {
      const id = json[name] ?? undefined;
      if (id === undefined) return [];
      if (typeof id !== 'string' && typeof id !== 'number')
        throw new Invalid(`properties.${name}: an id must be a string or a number`);
      return idOrNone(String(id)) ?? [];
    });
  if (first !== undefined && second !== undefined && first !== second)
    throw new Invalid(
      `properties.id: "${second}" differs from "${first}" in properties.${directory.idField}.`,
    );
  return first;
}

/**
 * Reads the id of a new entry.
 * @throws Invalid if it is missing, blank or too long
 */
export function readEntryId(directory: Directory, json: EntryJson): string {
  const { idField } = directory;
  const faults = new Faults();
  const id = readField(directory, idField, { input: json[idField] ?? null, faults });
  faults.requireNone();
  if (typeof id !== 'string' || id.trim() === '') throw new Invalid(`properties.${idField} is missing.`);
  const visible = visibleName(id, `properties.${idField}`);
  if (Buffer.byteLength(visible) > maxIdBytes) {
    throw new Invalid(`properties.${idField} is longer than ${maxIdBytes} bytes.`);
  }
  return visible;
}

/**
 * Reads a filter of entries by field values.
 * @throws Invalid if a field is unknown or secret, or a value has the wrong type
 */
export function readEntryFilter(directory: Directory, json: EntryJson): StoredProperties {
  const filter: StoredProperties = {};
  const faults = new Faults();
  for (const name of Object.keys(json)) {
    const input = json[name];
    if (isId(directory, name) || directory.secrets.has(name)) {
      faults.add(() => `filter: entries of ${directory.name} cannot be filtered by ${name}`);
    } else if (input === null) faults.add(() => `filter: ${name} must have a value`);
    else {
      const value = readField(directory, name, { input, faults });
      if (value !== undefined) filter[name] = value;
    }
  }
  faults.requireNone();
  return filter;
}
