import { stringify } from 'csv-stringify/sync';
import type { Request } from 'express';
import type { Route } from './route.ts';

/**
 * Entries as CSV (RFC 4180), after a line with the names of the columns: objects as JSON, nothing for null; text that a
 * spreadsheet would run begins with an apostrophe.
 */
export const toCsv = (columns: readonly string[], entries: ReadonlyArray<Record<string, unknown>>): string =>
  stringify([...entries], {
    ...{ header: true, columns: [...columns], record_delimiter: '\r\n', escape_formulas: true },
    cast: { boolean: String },
  });

/** Whether the caller would rather have CSV than JSON, where there is any. */
export const wantsCsv = (request: Request, { csv }: Pick<Route, 'csv'>): boolean =>
  csv !== undefined && request.accepts(['application/json', 'text/csv']) === 'text/csv';
