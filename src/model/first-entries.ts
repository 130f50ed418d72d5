import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { AppError } from '../errors.ts';
import { check } from './constraints.ts';
import { defaults } from './defaults.ts';
import { type EntryJson, readEntryFields, readEntryId } from './entry-fields.ts';
import type { Directory, Property } from './model.ts';
import { type Fault, ModelError, reasonOf } from './model-error.ts';
import { isUnset, type StoredProperties } from './stored.ts';

/** An entry that a directory starts with. */
export interface FirstEntry {
  readonly id: string;
  /** The set fields by name, all but the id. */
  readonly properties: StoredProperties;
}

/** An entry as it is written down, and where. */
interface Row {
  readonly file: string | undefined;
  readonly place: string;
  readonly json: EntryJson;
}

/**
 * The entries that a directory starts with: those of its definition, or of its CSV file.
 * Throws a ModelError with all that is wrong with them.
 */
export async function readFirstEntries(directory: Directory): Promise<FirstEntry[]> {
  const faults: Fault[] = [];
  const places = new Map<string, string>();
  const found: FirstEntry[] = [];
  for (const row of await rowsOf(directory)) {
    const { entry, said } = readRow(directory, row.json);
    const taken = entry && places.get(entry.id);
    if (taken !== undefined) said.push(`the id "${entry?.id}" is that of ${taken} already`);
    faults.push(...said.map((fault) => ({ ...fileOf(row), place: row.place, fault })));
    if (!entry || said.length > 0) continue;
    places.set(entry.id, row.place);
    found.push(entry);
  }
  const [first, ...others] = faults;
  if (first) throw new ModelError(first, ...others);
  return found;
}

const fileOf = ({ file }: { file: string | undefined }): { file?: string } =>
  file === undefined ? {} : { file };

/** An entry, and what is wrong with it. */
function readRow(directory: Directory, json: EntryJson): { entry?: FirstEntry; said: string[] } {
  try {
    const id = readEntryId(directory, json);
    const given = Object.entries(readEntryFields(directory, json)).filter(([, value]) => !isUnset(value));
    const properties: StoredProperties = { ...defaults([directory.schema]), ...Object.fromEntries(given) };
    return { entry: { id, properties }, said: brokenBy(directory, properties) };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { said: [error.message] };
  }
}

/** The constraints that fields break; whether another entry is there that one refers to, is not looked at. */
function brokenBy({ schema, idField }: Directory, properties: StoredProperties): string[] {
  const findings = { violations: [], references: [] } as Parameters<typeof check>[2];
  for (const field of schema.properties.values()) {
    if (field.name !== idField) check(field, properties[field.name], findings);
  }
  return findings.violations.map(
    ({ path, message }) => `${path.map(({ field }) => field).join('/')}: ${message}`,
  );
}

async function rowsOf(directory: Directory): Promise<Row[]> {
  const { name, entries, file } = directory;
  if (typeof entries === 'string') return csvRows(directory, entries);
  return (entries ?? []).map((json, index) => ({
    file,
    place: `directories.${name}.entries[${index}]`,
    json,
  }));
}

interface Line {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number };
}

async function csvRows({ schema }: Directory, file: string): Promise<Row[]> {
  try {
    const text = await readFile(file, 'utf8');
    const lines: Line[] = parse(text, { columns: true, bom: true, skip_empty_lines: true, info: true });
    return lines.map(({ record, info }) => ({
      file,
      place: `line ${info.lines}`,
      json: Object.fromEntries(
        Object.entries(record)
          .map(([name, cell]) => [name, jsonOf(schema.properties.get(name), cell)])
          .filter(([, value]) => value !== undefined),
      ),
    }));
  } catch (error) {
    throw new ModelError({ file, place: '', fault: `cannot be read as CSV (${reasonOf(error)})` });
  }
}

/** A cell as the JSON of its field; an empty one of anything but a string is not there. */
function jsonOf(field: Property | undefined, cell: string): unknown {
  if (!field || field.type === 'string') return cell;
  if (cell === '') return undefined;
  if (field.type === 'long' || field.type === 'double') return cell.trim() === '' ? cell : numberOf(cell);
  return field.type === 'boolean' && /^(true|false)$/.test(cell) ? cell === 'true' : cell;
}

const numberOf = (cell: string): unknown => (Number.isNaN(Number(cell)) ? cell : Number(cell));
