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

type Entry = Readonly<Record<string, unknown>>;

const documentColumns = [
  'repository',
  'uid',
  'name',
  'path',
  'type',
  'state',
  'parentRef',
  'isCheckedOut',
  'isVersion',
  'isProxy',
  'proxyTargetId',
  'versionableId',
  'changeToken',
  'isTrashed',
  'title',
  'versionLabel',
  'lockOwner',
  'lockCreated',
  'lastModified',
  'facets',
];

const namesIn = (objects: readonly Entry[]): string[] => [...new Set(objects.flatMap(Object.keys))];

/** A line for each document, its properties last; page providers also find other entities. */
export function documentsToCsv(entries: readonly Entry[]): string {
  const isOfDocuments = entries.every((entry) => entry['entity-type'] === 'document');
  if (!isOfDocuments) {
    const columns = namesIn(entries).filter((name) => name !== 'entity-type');
    return toCsv(columns, entries);
  }
  const lines = entries.map(({ properties, ...own }) => ({ ...(properties as Entry | undefined), ...own }));
  const names = namesIn(entries.map(({ properties }) => (properties ?? {}) as Entry));
  return toCsv([...documentColumns, ...names], lines);
}

export const wantsCsv = (request: Request, { csv }: Pick<Route, 'csv'>): boolean =>
  csv !== undefined && request.accepts(['application/json', 'text/csv']) === 'text/csv';
