import { stringify } from 'csv-stringify/sync';

export type CsvEntry = Readonly<Record<string, unknown>>;

/**
 * Matches the start of a text, or of a line in it, that a spreadsheet can evaluate as a formula. Spreadsheets also accept
 * the full-width forms of the operators, which Asian input methods produce.
 */
const formulaStart = /(?:^|[\n\r\v\f\u0085\u2028\u2029])(?=[ \t\u00a0]*[=+\-@＝＋－＠])/g;

/** Puts an apostrophe before every possible formula, so that a spreadsheet shows it as text (CSV injection). */
function withoutFormulas(text: string): string {
  const marked = text.replace(formulaStart, "$&'");
  // Some programs drop a leading tab or CR and evaluate the rest.
  return /^[\t\r]/.test(marked) ? `'${marked}` : marked;
}

/**
 * Writes CSV (RFC 4180) with a header line. Objects become JSON, null becomes an empty cell. `quoted_match` quotes cells
 * with a lone CR or LF; without it the library quotes only cells with the record delimiter, CRLF.
 * @param hasHeader false for lines that are appended to earlier ones.
 */
export const toCsv = (columns: readonly string[], entries: readonly CsvEntry[], hasHeader = true): string =>
  stringify([...entries], {
    header: hasHeader,
    columns: [...columns],
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]/,
    cast: { boolean: String, string: withoutFormulas },
  });

/** The columns for the fields of a document that are not properties, in their order. */
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

/** Flattens a document into one record: its own fields, and its properties by xpath. */
export const documentCsvEntry = ({ properties, ...own }: CsvEntry): CsvEntry => ({
  ...(properties as CsvEntry | undefined),
  ...own,
});
