import { Invalid } from '../errors.ts';
import type { Directory } from './model.ts';
import { readValue } from './read-value.ts';
import type { StoredProperties, StoredValue } from './stored.ts';

/** What a body, or a contributed file, says of the fields of an entry: JSON by name. */
export type EntryJson = Readonly<Record<string, unknown>>;

/** Bytes of an id: more would not fit into an index of the database. */
const longestId = 1000;

/** @throws Invalid when entries of the directory have no such field, or it is of another type. */
function readField(
  { name: directory, schema, joined }: Directory,
  name: string,
  given: unknown,
): StoredValue {
  const isTexts = Array.isArray(given) && given.every((text) => typeof text === 'string');
  const json = isTexts && joined.has(name) ? given.join(',') : given;
  const field = schema.properties.get(name);
  if (!field) throw new Invalid(`unknown property: entries of ${directory} have no ${name}`);
  let value: StoredValue = null;
  readValue(
    field,
    json,
    (stored) => {
      value = stored;
    },
    [], // no blobs: directories whose entries would have some are refused
  );
  return value;
}

/**
 * The fields given, but not the id; null clears.
 * @throws Invalid on an unknown field, or a value of another type.
 */
export function readEntryFields(directory: Directory, json: EntryJson): StoredProperties {
  const given: StoredProperties = {};
  for (const [name, value] of Object.entries(json)) {
    if (name === directory.idField) continue;
    const stored = readField(directory, name, value);
    // A secret sent back as answers show it stays what it is.
    if (stored !== '' || !directory.secrets.has(name)) given[name] = stored;
  }
  return given;
}

/** The id of a new entry. @throws Invalid when there is none, or none that an entry can have. */
export function readEntryId(directory: Directory, json: EntryJson): string {
  const { idField } = directory;
  const id = readField(directory, idField, json[idField] ?? null);
  if (typeof id !== 'string' || id.trim() === '') throw new Invalid(`properties.${idField} is missing`);
  if (Buffer.byteLength(id) > longestId) {
    throw new Invalid(`properties.${idField} is longer than ${longestId} bytes`);
  }
  return id;
}

/**
 * What fields of entries must hold to be listed.
 * @throws Invalid on a field that entries do not have or do not show, or a value of another type.
 */
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
