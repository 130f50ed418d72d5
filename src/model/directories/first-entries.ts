import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { AppError } from '../../errors.ts';
import { defaultProperties } from '../defaults.ts';
import type { Directory, Property } from '../model.ts';
import { type Fault, ModelError, reasonOf, requireNoFaults } from '../model-error.ts';
import { faultsOf } from '../values/constraints.ts';
import { isUnset, type StoredProperties } from '../values/stored.ts';
import { type EntryJson, readEntryFields, readEntryId } from './entry-fields.ts';

export interface FirstEntry {
  readonly id: string;
  /** The fields other than the id that have a value, by name. */
  readonly properties: StoredProperties;
}

/** The JSON of an entry before validation, and where it comes from. */
interface Row {
  readonly file: string | undefined;
  readonly location: string;
  readonly json: EntryJson;
}

/**
 * Reads the initial entries of a directory from its definition or its CSV file.
 * @throws ModelError, which lists all errors
 */
export async function readFirstEntries(directory: Directory): Promise<FirstEntry[]> {
  const faults: Fault[] = [];
  const locations = new Map<string, string>();
  const found: FirstEntry[] = [];
  for (const { file, location, json } of await rowsOf(directory)) {
    const { entry, messages } = readRow(directory, json);
    const taken = entry && locations.get(entry.id);
    if (taken !== undefined) messages.push(`the id "${entry?.id}" is already used by ${taken}`);
    faults.push(...messages.map((fault) => ({ ...(file !== undefined && { file }), location, fault })));
    if (!entry || messages.length > 0) continue;
    locations.set(entry.id, location);
    found.push(entry);
  }
  requireNoFaults(faults);
  return found;
}

function readRow(directory: Directory, json: EntryJson): { entry?: FirstEntry; messages: string[] } {
  try {
    const id = readEntryId(directory, json);
    const setFields = Object.entries(readEntryFields(directory, json)).filter(([, value]) => !isUnset(value));
    const properties: StoredProperties = {
      ...defaultProperties([directory.schema]),
      ...Object.fromEntries(setFields),
    };
    return {
      entry: { id, properties },
      messages: violationsOf(directory, { ...properties, [directory.idField]: id }),
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { messages: [error.message] };
  }
}

const violationsOf = ({ schema }: Directory, fields: StoredProperties): string[] =>
  [...schema.properties.values()].flatMap((field) => faultsOf(field, fields[field.name]));

async function rowsOf(directory: Directory): Promise<Row[]> {
  const { name, entries, file } = directory;
  if (typeof entries === 'string') return csvRows(directory, entries);
  return (entries ?? []).map((json, index) => ({
    file,
    location: `directories.${name}.entries[${index}]`,
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
      location: `line ${info.lines}`,
      json: Object.fromEntries(
        Object.entries(record)
          .map(([name, cell]) => [name, jsonOf(schema.properties.get(name), cell)])
          .filter(([, value]) => value !== undefined),
      ),
    }));
  } catch (error) {
    throw new ModelError([{ file, location: '', fault: `cannot be read as CSV (${reasonOf(error)})` }]);
  }
}

/**
 * Converts a CSV cell to a JSON value of the field's type. An empty cell becomes undefined unless the field is a
 * string.
 */
function jsonOf(field: Property | undefined, cell: string): unknown {
  if (!field || field.type === 'string') return cell;
  if (cell === '') return undefined;
  if (field.type === 'long' || field.type === 'double') return cell.trim() === '' ? cell : numberOf(cell);
  return field.type === 'boolean' && /^(true|false)$/.test(cell) ? cell === 'true' : cell;
}

const numberOf = (cell: string): unknown => (Number.isNaN(Number(cell)) ? cell : Number(cell));
