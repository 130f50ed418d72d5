import { stringify } from 'csv-stringify/sync';

export type CsvEntry = Readonly<Record<string, unknown>>;

/**
 * Matches the beginning of a cell or line that a spreadsheet could evaluate as a formula. Spreadsheets also accept
 * the full-width forms of the operators, which Asian input methods produce.
 */
const formulaStart = /(?:^|[\n\r\v\f\u0085\u2028\u2029])(?=[ \t\u00a0]*[=+\-@＝＋－＠])/g;

/**
 * Inserts an apostrophe before everything that could be a formula, so that spreadsheets show it as text. This
 * prevents CSV injection.
 */
function withoutFormulas(text: string): string {
  const marked = text.replace(formulaStart, "$&'");
  // Some programs remove a leading tab or CR, and then evaluate the rest.
  return /^[\t\r]/.test(marked) ? `'${marked}` : marked;
}

/**
 * Formats CSV (RFC 4180) with a header line. Objects become JSON, and null becomes an empty cell. `quoted_match`
 * quotes cells that contain a single CR or LF; without it, the library quotes only cells that contain the record
 * delimiter, CRLF.
 * @param hasHeader false for lines that are appended to earlier ones
 */
export const toCsv = (columns: readonly string[], entries: readonly CsvEntry[], hasHeader = true): string =>
  stringify([...entries], {
    header: hasHeader,
    columns: [...columns],
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]/,
    cast: { boolean: String, string: withoutFormulas },
  });

/** The columns for the document fields that are not properties, in order. */
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

/** Flattens a document to a single CSV record that contains its fields and, by xpath, its properties. */
export const documentCsvEntry = ({ properties, ...own }: CsvEntry): CsvEntry => ({
  ...(properties as CsvEntry | undefined),
  ...own,
});
