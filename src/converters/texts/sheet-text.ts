import type { CellObject, WorkBook } from '@e965/xlsx';
import type { Converter } from '../converter.ts';
import { encrypted } from '../encrypted.ts';
import { readWhole } from '../whole-file.ts';
import { isCompoundFile, readCompoundFile, textOfOtherFormat } from './compound-file.ts';
import { textsOutsideOfCells } from './sheet-records.ts';
import { asText, textLimit } from './text-limit.ts';

/** The texts of a cell: the displayed value, the stored number if it differs, and the comments. */
function* textsOf({ w, v, t, c }: CellObject): Generator<string> {
  const raw = v === undefined || t === 'e' ? '' : v instanceof Date ? v.toISOString() : String(v);
  yield w ?? raw;
  if (t === 'n' && w !== undefined && w !== raw) yield raw;
  for (const { t: comment } of c ?? []) if (comment) yield comment;
}

function* textsOfBook({ SheetNames: names, Sheets: sheets }: WorkBook): Generator<string> {
  for (const name of names) {
    if (!/\p{Cc}/u.test(name)) yield name; // names in XLSB files of Excel beta versions are read incorrectly
    for (const row of sheets[name]?.['!data'] ?? [])
      for (const cell of row ?? []) if (cell) yield* textsOf(cell);
  }
}

/**
 * Whether the first bytes belong to an Excel 2 to 4 workbook. These workbooks are not compound files; they begin with a
 * BOF record.
 */
const isOldSheet = ([first, second]: Buffer): boolean =>
  first === 9 && second !== undefined && [0, 2, 4, 8].includes(second);

const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004';

const binaryType = 'application/vnd.ms-excel.sheet.binary.macroenabled.12';

/** Extracts the text of Excel 2 to 2003 workbooks and of newer binary workbooks. */
export const sheetText: Converter = {
  name: 'xls2text',
  makes: 'text',
  takes: ['application/vnd.ms-excel', binaryType],
  hasParts: true,
  convert: async (task) => {
    const { file, mimeType } = task;
    const bytes = await readWhole(file);
    // Without this check, the library would read arbitrary bytes as delimited text.
    const isWorkbook = isOldSheet(bytes) || (mimeType === binaryType && isZip(bytes));
    if (!isWorkbook && !(await isCompoundFile(file))) return asText(await textOfOtherFormat(task));
    // Throws if the file is encrypted or damaged.
    const stream = isWorkbook ? undefined : (await readCompoundFile(file)).stream;
    const { read, set_cptable: setCodePages } = await import('@e965/xlsx');
    setCodePages(await import('@e965/xlsx/dist/cpexcel.full.mjs'));
    let text = '';
    try {
      const options = { dense: true, cellFormula: false, cellHTML: false } as const;
      for (const each of textsOfBook(read(bytes, options))) {
        text += `${each}\n`;
        if (text.length >= textLimit) return asText(text);
      }
    } catch (error) {
      throw /password|encrypt/i.test(String(error)) ? encrypted() : error;
    }
    const records = stream?.('Workbook') ?? stream?.('Book');
    if (records)
      for (const each of textsOutsideOfCells(records, stream?.('Workbook') !== undefined))
        if (each !== '') text += `${each}\n`;
    return asText(text);
  },
};
