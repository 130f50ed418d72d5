import type { Request } from 'express';
import { yieldToEventLoop } from '../../event-loop.ts';
import { type CsvEntry, documentCsvColumns, documentCsvEntry, toCsv } from '../../model/csv.ts';
import type { Route } from '../route.ts';

const namesIn = (objects: readonly CsvEntry[]): string[] => [...new Set(objects.flatMap(Object.keys))];

/** The number of CSV lines that are written before other requests are processed. */
const linesPerTurn = 50;

/**
 * Generates the CSV lines of a page, starting with the column names. Each chunk is formatted only when it is sent.
 */
async function* csvLines(
  columns: readonly string[],
  entries: readonly CsvEntry[],
  lineOf: (entry: CsvEntry) => CsvEntry = (entry) => entry,
): AsyncGenerator<string> {
  yield toCsv(columns, []);
  for (let from = 0; from < entries.length; from += linesPerTurn) {
    yield toCsv(columns, entries.slice(from, from + linesPerTurn).map(lineOf), false);
    await yieldToEventLoop();
  }
}

/**
 * Generates one CSV line per document, with its properties in the last columns. The pages of a page provider can also
 * contain other entities, whose fields become the columns.
 */
function documentLines(entries: readonly CsvEntry[]): AsyncGenerator<string> {
  const isOfDocuments = entries.every((entry) => entry['entity-type'] === 'document');
  if (!isOfDocuments) {
    const columns = namesIn(entries).filter((name) => name !== 'entity-type');
    return csvLines(columns, entries);
  }
  const names = namesIn(entries.map(({ properties }) => (properties ?? {}) as CsvEntry));
  return csvLines([...documentCsvColumns, ...names], entries, documentCsvEntry);
}

export const csvOf = (
  { csv = [] }: Pick<Route, 'csv'>,
  entries: readonly CsvEntry[],
): AsyncGenerator<string> => (csv === 'documents' ? documentLines(entries) : csvLines(csv, entries));

export const wantsCsv = (request: Request, { csv }: Pick<Route, 'csv'>): boolean =>
  csv !== undefined && request.accepts(['application/json', 'text/csv']) === 'text/csv';
