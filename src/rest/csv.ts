import type { Request } from 'express';
import type { Route } from './route.ts';

/** What a spreadsheet takes for the beginning of a formula. */
const formula = /^[=+\-@\t\r＝＋－＠]/;

/** One field (RFC 4180): objects as JSON, nothing for null; text that a spreadsheet would run begins with an apostrophe. */
function fieldOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Entries as CSV (RFC 4180), after a line with the names of the columns. */
export function toCsv(columns: readonly string[], entries: ReadonlyArray<Record<string, unknown>>): string {
  const rows = entries.map((entry) => columns.map((name) => fieldOf(entry[name])));
  return [columns, ...rows].map((fields) => `${fields.join(',')}\r\n`).join('');
}

/** Whether the caller would rather have CSV than JSON, where there is any. */
export const wantsCsv = (request: Request, { csv }: Pick<Route, 'csv'>): boolean =>
  csv !== undefined && request.accepts(['application/json', 'text/csv']) === 'text/csv';
