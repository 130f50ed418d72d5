import { Faults, Invalid } from '../../errors.ts';
import type { Directory } from '../model.ts';
import { idOrNone, visibleName } from '../names.ts';
import { nothingPending, readValue } from '../values/read-value.ts';
import type { StoredProperties, StoredValue } from '../values/stored.ts';

/** The fields of an entry in a body or a contributed file, by name. */
export type EntryJson = Readonly<Record<string, unknown>>;

const maxIdBytes = 1000; // limited by the index of the database

/** Undefined for an unknown field, and null for a value of a wrong type, with the faults added. */
function readField(
  { name: directory, schema, joined }: Directory,
  name: string,
  { given, faults }: { readonly given: unknown; readonly faults: Faults },
): StoredValue | undefined {
  const isTexts = Array.isArray(given) && given.every((text) => typeof text === 'string');
  const field = schema.properties.get(name);
  const isBooleanText = field?.type === 'boolean' && (given === 'true' || given === 'false');
  const json = isTexts && joined.has(name) ? given.join(',') : isBooleanText ? given === 'true' : given;
  if (!field) {
    faults.add(() => `unknown property: entries of ${directory} have no ${name}`);
    return undefined;
  }
  if (name === 'parent' && json === '') return ''; // the parent of an entry at the top of a hierarchy
  let value: StoredValue = null;
  const put = (stored: StoredValue) => {
    value = stored;
  };
  // Schemas with blobs or hierarchical values are refused for directories.
  readValue(field, json, put, { pending: nothingPending(), faults });
  return value;
}

/** §2.4: `id` stands for the field that is the id, in a directory whose entries have no other field of that name. */
const isId = ({ idField, schema }: Directory, name: string): boolean =>
  name === idField || (name === 'id' && !schema.properties.has('id'));

/** The given fields but the id; null clears a field. @throws Invalid on unknown fields and wrong types. */
export function readEntryFields(directory: Directory, json: EntryJson): StoredProperties {
  const fields: StoredProperties = {};
  const faults = new Faults();
  for (const name of Object.keys(json)) {
    if (isId(directory, name)) continue;
    const stored = readField(directory, name, { given: json[name], faults });
    // Answers replace a secret by an empty string; sending it back does not change the secret.
    if (stored !== undefined && (stored !== '' || !directory.secrets.has(name))) fields[name] = stored;
  }
  faults.requireNone();
  return fields;
}

/**
 * The id in the properties of a body, a text or a number; undefined without one.
 * @throws Invalid when it is neither, or when `id` and the field that is the id differ.
 */
export function givenId(directory: Directory, json: EntryJson): string | undefined {
  const [first, second] = [directory.idField, 'id']
    .filter((name, index, names) => isId(directory, name) && names.indexOf(name) === index)
    .flatMap((name) => {
      const given = json[name] ?? undefined;
      if (given === undefined) return [];
      if (typeof given !== 'string' && typeof given !== 'number')
        throw new Invalid(`properties.${name}: is no id`);
      return idOrNone(String(given)) ?? [];
    });
  if (first !== undefined && second !== undefined && first !== second)
    throw new Invalid(`properties.id: "${second}" is not the properties.${directory.idField} "${first}".`);
  return first;
}

/** The id of a new entry. @throws Invalid when it is missing, blank or too long. */
export function readEntryId(directory: Directory, json: EntryJson): string {
  const { idField } = directory;
  const faults = new Faults();
  const id = readField(directory, idField, { given: json[idField] ?? null, faults });
  faults.requireNone();
  if (typeof id !== 'string' || id.trim() === '') throw new Invalid(`properties.${idField} is missing`);
  const visible = visibleName(id, `properties.${idField}`);
  if (Buffer.byteLength(visible) > maxIdBytes) {
    throw new Invalid(`properties.${idField} is longer than ${maxIdBytes} bytes`);
  }
  return visible;
}

/** A filter of entries by field values. @throws Invalid on unknown and secret fields, and wrong types. */
export function readEntryFilter(directory: Directory, json: EntryJson): StoredProperties {
  const filter: StoredProperties = {};
  const faults = new Faults();
  for (const name of Object.keys(json)) {
    const given = json[name];
    if (isId(directory, name) || directory.secrets.has(name)) {
      faults.add(() => `filter: entries of ${directory.name} cannot be filtered by ${name}`);
    } else if (given === null) faults.add(() => `filter: ${name} needs a value`);
    else {
      const value = readField(directory, name, { given, faults });
      if (value !== undefined) filter[name] = value;
    }
  }
  faults.requireNone();
  return filter;
}
