import { writeFile } from 'node:fs/promises';
import { readStart } from '../../blobs/text.ts';
import type { ConversionTask, Converted, Converter } from '../converter.ts';
import { drawText } from '../pdf/draw-text.ts';
import { officePdfOf } from '../programs/office.ts';
import { htmlOfMarkdown, markdownTypes } from './html-pages.ts';
import { textOfHtml } from './html-text.ts';
import { textLimit } from './text-limit.ts';

/** A cell is cut after as many characters in a table; it may be longer in lines. */
const maxCell = 30;
const tableWidth = 88;

/** Rows of CSV as a table where it is as narrow as a page, or else a line of text each. */
async function tableOf(csv: string): Promise<string> {
  const { parse } = await import('csv-parse/sync');
  const [first = ''] = csv.split('\n', 1);
  const count = (sign: string) => first.split(sign).length;
  const [delimiter] = [',', ';', '\t'].sort((one, other) => count(other) - count(one));
  const rows: string[][] = parse(csv, {
    bom: true,
    delimiter: delimiter ?? ',',
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  const isNarrow =
    widths.every((width) => width <= maxCell) &&
    widths.reduce((sum, width) => sum + width + 3, -3) <= tableWidth;
  return rows
    .map((row) =>
      row
        .map((cell, column) => (isNarrow ? cell.padEnd(widths[column] ?? 0) : cell))
        .join(' | ')
        .trimEnd(),
    )
    .join('\n');
}

interface Kind {
  readonly name: string;
  readonly takes: readonly string[];
  /** What LibreOffice reads the file as. */
  readonly extension: 'txt' | 'html' | 'csv';
  /** The file as LibreOffice reads it, in Unicode. */
  readonly sourceOf: (file: string) => Promise<string>;
  /** The same as text in lines, which is drawn without LibreOffice. */
  readonly textOf: (source: string) => Promise<string>;
}

const plain = { extension: 'txt', textOf: async (text: string) => text } as const;
const start = (file: string) => readStart(file, textLimit);

/** What is made is stored under the digest of the file and the name of the converter: equal bytes may be of several types. */
const kinds: readonly Kind[] = [
  { name: 'text2pdf', takes: ['text/plain'], sourceOf: start, ...plain },
  { name: 'xml2pdf', takes: ['application/xml', 'text/xml', 'application/json'], sourceOf: start, ...plain },
  {
    name: 'html2pdf',
    takes: ['text/html', 'application/xhtml+xml'],
    extension: 'html',
    sourceOf: start,
    textOf: textOfHtml,
  },
  { name: 'md2pdf', takes: markdownTypes, extension: 'html', sourceOf: htmlOfMarkdown, textOf: textOfHtml },
  { name: 'csv2pdf', takes: ['text/csv'], extension: 'csv', sourceOf: start, textOf: tableOf },
];

const convert =
  ({ extension, sourceOf, textOf }: Kind) =>
  async (task: ConversionTask): Promise<Converted> => {
    const source = await sourceOf(task.file);
    if (task.tools.paths.libreoffice === undefined)
      return { mimeType: 'application/pdf', bytes: await drawText(await textOf(source)) };
    const write = (path: string) => writeFile(path, `\uFEFF${source.replace(/^\uFEFF/, '')}`);
    return { mimeType: 'application/pdf', file: await officePdfOf(task, { extension, write }) };
  };

/** PDFs of texts: by LibreOffice where it is installed, else drawn in the font of the server. */
export const textPdfs: readonly Converter[] = kinds.map((kind) => ({
  name: kind.name,
  makes: 'pdf',
  takes: kind.takes,
  mayUse: ['libreoffice'],
  convert: convert(kind),
}));
