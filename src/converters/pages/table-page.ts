import type { CellObject, Range, WorkSheet } from '@e965/xlsx';
import { parse } from 'csv-parse/sync';
import escapeHtml from 'escape-html';
import { readStart } from '../../blobs/text.ts';
import type { Converter } from '../converter.ts';
import { encrypted } from '../encrypted.ts';
import { requireUnencrypted } from '../require-unencrypted.ts';
import { isCompoundFile } from '../texts/compound-file.ts';
import { asPage } from '../texts/html-pages.ts';
import { requireSmallArchive } from '../texts/unpacked.ts';
import { readBeginning, readWhole } from '../whole-file.ts';

/** The maximum number of rows, columns and sheets that a page shows. A note says if there are more. */
const limits = { rows: 1_000, columns: 100, sheets: 50 };

/** The maximum number of bytes of a CSV file that are read. */
const maxCsvBytes = 2_000_000;

const rules = `body{margin:0}table{font-size:14px;line-height:1.35;overflow-wrap:normal}td,th{max-width:28rem;white-space:pre-wrap}
thead th{position:sticky;top:0}th{background:light-dark(#eef2f6,#222c37);font-weight:500;font-variant-numeric:tabular-nums}
.number{text-align:right;font-variant-numeric:tabular-nums}h2,nav,p{margin:.75rem 1rem;font-size:1rem}nav a{margin-right:1rem}`;

interface Cell {
  readonly text: string;
  readonly isNumber?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** A table; a cell that is covered by a merged cell is undefined. */
interface TableContent {
  readonly name?: string;
  readonly rows: ReadonlyArray<ReadonlyArray<Cell | undefined>>;
  readonly isCut: boolean;
}

/** The name of a column in a spreadsheet: A to Z, then AA, AB and so on. */
const columnName = (index: number): string =>
  (index < 26 ? '' : columnName(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));

function cellHtml(cell: Cell | undefined): string {
  if (!cell) return '';
  const { text, isNumber, columns = 1, rows = 1 } = cell;
  const span = (name: string, count: number) => (count > 1 ? ` ${name}="${count}"` : '');
  const type = isNumber ? ' class="number"' : '';
  return `<td${type}${span('colspan', columns)}${span('rowspan', rows)}>${escapeHtml(text)}</td>`;
}

function tableHtml({ name, rows, isCut }: TableContent, index: number): string {
  const width = Math.max(0, ...rows.map((row) => row.length));
  const names = Array.from({ length: width }, (_, at) => `<th scope="col">${columnName(at)}</th>`).join('');
  const body = rows
    .map((row, at) => {
      const padded = Array.from({ length: width }, (_, column) =>
        column < row.length ? cellHtml(row[column]) : '<td></td>',
      );
      return `<tr><th scope="row">${at + 1}</th>${padded.join('')}</tr>`;
    })
    .join('\n');
  const heading = name === undefined ? '' : `<h2 id="sheet${index}">${escapeHtml(name)}</h2>`;
  const note = isCut ? '<p>…</p>' : '';
  return `${heading}<table><thead><tr><td></td>${names}</tr></thead><tbody>${body}</tbody></table>${note}`;
}

function tablesPage(tables: readonly TableContent[]) {
  const links = tables.map(({ name }, index) => `<a href="#sheet${index}">${escapeHtml(name ?? '')}</a>`);
  const navigation = tables.length > 1 ? `<nav>${links.join(' ')}</nav>` : '';
  return asPage(navigation + tables.map(tableHtml).join('\n'), rules);
}

const isNumeric = (text: string): boolean => /^[+-]?[\d.,\s\u00a0\u202f]*\d\s?[%€$£]?$/.test(text);

/** The separator of a CSV file: the one that occurs most often in its first lines. */
function separatorOf(text: string): string {
  const start = text.split('\n', 5).join('\n');
  const counted = [',', ';', '\t', '|'].map((sign) => ({ sign, count: start.split(sign).length }));
  return counted.sort((one, other) => other.count - one.count)[0]?.sign ?? ',';
}

/** Converts a CSV file to a table. */
const csvPage: Converter = {
  name: 'csv2html',
  makes: 'html',
  takes: ['text/csv', 'text/tab-separated-values'],
  convert: async ({ file, encoding }) => {
    const text = await readStart(file, maxCsvBytes, encoding);
    const records: string[][] = parse(text, {
      bom: true,
      delimiter: separatorOf(text),
      relax_column_count: true,
      relax_quotes: true,
      skip_records_with_error: true, // the last record may be cut
      to: limits.rows + 1,
    });
    const rows = records
      .slice(0, limits.rows)
      .map((record) =>
        record.slice(0, limits.columns).map((value) => ({ text: value, isNumber: isNumeric(value) })),
      );
    return tablesPage([{ rows, isCut: records.length > limits.rows }]);
  },
};

/** The merged cells of a sheet by the position of their first cell, and the positions that they cover. */
function mergesOf(merges: readonly Range[]) {
  const sizes = new Map<string, { readonly rows: number; readonly columns: number }>();
  const covered = new Set<string>();
  for (const { s: start, e: end } of merges) {
    const last = { r: Math.min(end.r, limits.rows - 1), c: Math.min(end.c, limits.columns - 1) };
    if (start.r > last.r || start.c > last.c) continue;
    sizes.set(`${start.r} ${start.c}`, { rows: last.r - start.r + 1, columns: last.c - start.c + 1 });
    for (let row = start.r; row <= last.r; row += 1)
      for (let column = start.c; column <= last.c; column += 1) covered.add(`${row} ${column}`);
    covered.delete(`${start.r} ${start.c}`);
  }
  return { sizes, covered };
}

const shownText = ({ w, v, t }: CellObject): string =>
  w ?? (v === undefined || t === 'z' ? '' : v instanceof Date ? v.toISOString() : String(v));

function sheetTable(name: string, sheet: WorkSheet | undefined): TableContent {
  const data = (sheet?.['!data'] ?? []) as ReadonlyArray<ReadonlyArray<CellObject | undefined> | undefined>;
  const { sizes, covered } = mergesOf(sheet?.['!merges'] ?? []);
  const width = Math.min(
    limits.columns,
    Math.max(0, ...data.slice(0, limits.rows).map((row = []) => row.length)),
  );
  const rows = Array.from(data.slice(0, limits.rows), (row = [], at) =>
    Array.from({ length: width }, (_, column) => {
      const cell = row[column];
      const place = `${at} ${column}`;
      if (covered.has(place)) return undefined;
      return { text: cell ? shownText(cell) : '', isNumber: cell?.t === 'n', ...sizes.get(place) };
    }),
  );
  return { name, rows, isCut: data.length > limits.rows };
}

/** Whether a file is a zip archive or a compound file; the library would read any other bytes as delimited text. */
const isWorkbook = async (file: string): Promise<boolean> =>
  (await readBeginning(file, 4)).toString('latin1') === 'PK\u0003\u0004' || (await isCompoundFile(file));

/** Converts a workbook to a table for each sheet, with the values as they are displayed. */
const workbookPage: Converter = {
  name: 'workbook2html',
  makes: 'html',
  takes: [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.ms-excel.sheet.macroenabled.12',
    'application/vnd.ms-excel.sheet.binary.macroenabled.12',
    'application/vnd.ms-excel',
    'application/vnd.oasis.opendocument.spreadsheet',
  ],
  convert: async ({ file }) => {
    await requireSmallArchive(file);
    await requireUnencrypted(file);
    if (!(await isWorkbook(file))) throw new Error('the file is not a workbook');
    const { read, set_cptable: setCodePages } = await import('@e965/xlsx');
    setCodePages(await import('@e965/xlsx/dist/cpexcel.full.mjs'));
    try {
      const book = read(await readWhole(file), {
        dense: true,
        cellFormula: false,
        cellHTML: false,
        sheetRows: limits.rows + 1,
      });
      const names = book.SheetNames.slice(0, limits.sheets);
      return tablesPage(names.map((name) => sheetTable(name, book.Sheets[name])));
    } catch (error) {
      throw /password|encrypt/i.test(String(error)) ? encrypted() : error;
    }
  },
};

export const tablePages: readonly Converter[] = [csvPage, workbookPage];
