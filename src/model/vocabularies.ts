import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';

/** From src/model and dist/model alike, as the compiler does not copy CSV files. */
const folder = new URL('../../src/model/data/directories/', import.meta.url);

/** What an entry holds when its line says nothing. */
const defaults = { obsolete: 0, ordering: 10_000_000 };

/** The entries a stock directory starts with; none for a directory that comes without. */
export async function readVocabulary(name: string): Promise<Array<Record<string, string | number>>> {
  const text = await textOf(name);
  if (text === undefined) return [];
  const rows: Array<Record<string, string>> = parse(text, { columns: true, skip_empty_lines: true });
  return rows.map((row) => ({ ...defaults, ...row, ...numbersOf(row) }));
}

async function textOf(name: string): Promise<string | undefined> {
  // Names come from files of others: none may lead out of the folder.
  if (!/^\w+$/.test(name)) return undefined;
  try {
    return await readFile(new URL(`${name}.csv`, folder), 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}

function numbersOf(row: Record<string, string>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(defaults).map(([key, value]) => [key, row[key] ? Number(row[key]) : value]),
  );
}
