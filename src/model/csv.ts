import { stringify } from 'csv-stringify/sync';

export type CsvEntry = Readonly<Record<string, unknown>>;

/**
 * CSV (RFC 4180) with a line of column names first: objects as JSON, null as an empty field. Text that a
 * spreadsheet would run as a formula gets an apostrophe in front.
 * @param hasHeader false for lines that follow others.
 */
export const toCsv = (columns: readonly string[], entries: readonly CsvEntry[], hasHeader = true): string =>
  stringify([...entries], {
    header: hasHeader,
    columns: [...columns],
    record_delimiter: '\r\n',
    escape_formulas: true,
    cast: { boolean: String },
  });

/** What a document has beside its properties, in the order of the columns. */
export const documentCsvColumns: readonly string[] = [
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

/** The fields of a document and its properties side by side, as the columns name them. */
export const documentCsvEntry = ({ properties, ...own }: CsvEntry): CsvEntry => ({
  ...(properties as CsvEntry | undefined),
  ...own,
});
