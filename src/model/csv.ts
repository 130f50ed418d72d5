import { stringify } from 'csv-stringify/sync';

export type CsvEntry = Readonly<Record<string, unknown>>;

/**
 * The start of a text, or of a line in it, that a spreadsheet may run as a formula. The full-width forms are what
 * spreadsheets with an Asian keyboard accept.
 */
const formulaStart = /(?:^|[\n\r\v\f\u0085\u2028\u2029])(?=[ \t\u00a0]*[=+\-@＝＋－＠])/g;

/** Puts an apostrophe before every formula, so that a spreadsheet shows it as text. */
function withoutFormulas(text: string): string {
  const marked = text.replace(formulaStart, "$&'");
  // Some programs drop a tab or a CR at the start, and run what follows.
  return /^[\t\r]/.test(marked) ? `'${marked}` : marked;
}

/**
 * CSV (RFC 4180) with a line of column names first. Objects become JSON, null an empty cell. A cell with a comma, a
 * quote or a line break of either kind is quoted: the library looks only for the line break that ends its records.
 * @param hasHeader false for lines that follow others.
 */
export const toCsv = (columns: readonly string[], entries: readonly CsvEntry[], hasHeader = true): string =>
  stringify([...entries], {
    header: hasHeader,
    columns: [...columns],
    record_delimiter: '\r\n',
    quoted_match: /[\r\n]/,
    cast: { boolean: String, string: withoutFormulas },
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
