import { Invalid, readEach } from '../../errors.ts';
import type { Directory } from '../model.ts';
import { idOrNone } from '../names.ts';
import { nothingPending, readValue } from '../values/read-value.ts';
import type { StoredProperties, StoredValue } from '../values/stored.ts';

/** The fields of an entry in a body or a contributed file, by name. */
export type EntryJson = Readonly<Record<string, unknown>>;

const maxIdBytes = 1000; // limited by the index of the database

function readField(
  { name: directory, schema, joined }: Directory,
  name: string,
  given: unknown,
): StoredValue {
  const isTexts = Array.isArray(given) && given.every((text) => typeof text === 'string');
  const json = isTexts && joined.has(name) ? given.join(',') : given;
  const field = schema.properties.get(name);
  if (!field) throw new Invalid(`unknown property: entries of ${directory} have no ${name}`);
  if (name === 'parent' && json === '') return ''; // the parent of an entry at the top of a hierarchy
  let value: StoredValue = null;
  readValue(
    field,
    json,
    (stored) => {
      value = stored;
    },
    nothingPending(), // schemas with blobs or hierarchical values are refused for directories
  );
  return value;
}

/** The given fields but the id; null clears a field. @throws Invalid on unknown fields and wrong types. */
export function readEntryFields(directory: Directory, json: EntryJson): StoredProperties {
  const fields: StoredProperties = {};
  readEach(Object.entries(json), ([name, value]) => {
    if (name === directory.idField) return;
    const stored = readField(directory, name, value);
    // Answers replace a secret by an empty string; sending it back does not change the secret.
    if (stored !== '' || !directory.secrets.has(name)) fields[name] = stored;
  });
  return fields;
}

/** The id in a body, a text or a number; undefined without one. @throws Invalid when it is neither. */
export function givenId({ idField }: Directory, json: EntryJson): string | undefined {
  const given = json[idField] ?? undefined;
  if (given === undefined) return undefined;
  if (typeof given !== 'string' && typeof given !== 'number')
    throw new Invalid(`properties.${idField}: is no id`);
  return idOrNone(String(given));
}

/** The id of a new entry. @throws Invalid when it is missing, blank or too long. */
export function readEntryId(directory: Directory, json: EntryJson): string {
  const { idField } = directory;
  const id = readField(directory, idField, json[idField] ?? null);
  if (typeof id !== 'string' || id.trim() === '') throw new Invalid(`properties.${idField} is missing`);
  if (Buffer.byteLength(id) > maxIdBytes) {
    throw new Invalid(`properties.${idField} is longer than ${maxIdBytes} bytes`);
  }
  return id;
}

/** A filter of entries by field values. @throws Invalid on unknown and secret fields, and wrong types. */
export function readEntryFilter(directory: Directory, json: EntryJson): StoredProperties {
  const filter: StoredProperties = {};
  for (const [name, value] of Object.entries(json)) {
    if (name === directory.idField || directory.secrets.has(name)) {
      throw new Invalid(`filter: entries of ${directory.name} cannot be filtered by ${name}`);
    }
    if (value === null) throw new Invalid(`filter: ${name} needs a value`);
    filter[name] = readField(directory, name, value);
  }
  return filter;
}
