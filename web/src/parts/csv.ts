/** Matches the beginning of a text that a spreadsheet would evaluate as a formula. */
const formula = /^[=+\-@\t\r]/;

const quoted = (value: string): string => {
  const safe = formula.test(value) ? `'${value}` : value;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Writes rows as CSV (RFC 4180). A text that looks like a formula gets a leading apostrophe. */
export const writeCsv = (rows: ReadonlyArray<readonly string[]>): string =>
  rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('');

const unquoted = (value: string): string => (/^'[=+\-@\t\r]/.test(value) ? value.slice(1) : value);

/** Returns the separator of a CSV file: the one of comma, semicolon and tab that occurs most often in the first line. */
function separatorOf(text: string): string {
  const [first = ''] = text.split('\n', 1);
  const count = (sign: string) => first.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}

/** Reads the rows of a CSV file, also as spreadsheets write it. Empty lines are left out. */
export function readCsv(text: string): string[][] {
  const content = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(content);
  const value = `"((?:[^"]|"")*)"|([^${separator}\\r\\n]*)`;
  const pattern = new RegExp(`(?:${value})(${separator}|\\r\\n|\\n|\\r|$)`, 'gy');
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [whole, inQuotes, plain, end] of content.matchAll(pattern)) {
    row.push(unquoted(inQuotes === undefined ? (plain ?? '') : inQuotes.replaceAll('""', '"')));
    if (end === separator) continue;
    if (row.some((each) => each !== '')) rows.push(row);
    row = [];
    if (whole === '') break;
  }
  return rows;
}
