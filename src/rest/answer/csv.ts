import type { Request } from 'express';
import { type CsvEntry, documentCsvColumns, documentCsvEntry, toCsv } from '../../model/csv.ts';
import type { Route } from '../route.ts';

const namesIn = (objects: readonly CsvEntry[]): string[] => [...new Set(objects.flatMap(Object.keys))];

/** A line for each document, its properties last; page providers also find other entities. */
export function documentsToCsv(entries: readonly CsvEntry[]): string {
  const isOfDocuments = entries.every((entry) => entry['entity-type'] === 'document');
  if (!isOfDocuments) {
    const columns = namesIn(entries).filter((name) => name !== 'entity-type');
    return toCsv(columns, entries);
  }
  const names = namesIn(entries.map(({ properties }) => (properties ?? {}) as CsvEntry));
  return toCsv([...documentCsvColumns, ...names], entries.map(documentCsvEntry));
}

export const wantsCsv = (request: Request, { csv }: Pick<Route, 'csv'>): boolean =>
  csv !== undefined && request.accepts(['application/json', 'text/csv']) === 'text/csv';
