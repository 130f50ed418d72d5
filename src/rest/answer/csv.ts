import { stringify } from 'csv-stringify/sync';
import type { Request } from 'express';
import type { Route } from '../route.ts';

/**
 * CSV (RFC 4180) with a line of column names: objects as JSON, null as an empty field. Text that a
 * spreadsheet would run as a formula gets an apostrophe in front.
 */
export const toCsv = (columns: readonly string[], entries: ReadonlyArray<Record<string, unknown>>): string =>
  stringify([...entries], {
    header: true,
    columns: [...columns],
    record_delimiter: '\r\n',
    escape_formulas: true,
    cast: { boolean: String },
  });

export const wantsCsv = (request: Request, { csv }: Pick<Route, 'csv'>): boolean =>
  csv !== undefined && request.accepts(['application/json', 'text/csv']) === 'text/csv';
