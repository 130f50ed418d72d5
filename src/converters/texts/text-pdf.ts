import { writeFile } from 'node:fs/promises';
import { readStart } from '../../blobs/text.ts';
import type { ConversionTask, Converted, Converter } from '../converter.ts';
import { drawText } from '../pdf/draw-text.ts';
import { officePdfOf } from '../programs/office.ts';
import { htmlOfMarkdown, markdownTypes } from './html-pages.ts';
import { textOfHtml } from './html-text.ts';
import { textLimit } from './text-limit.ts';

/** The maximum width of a cell, in characters, for rows to be drawn as a table. */
const maxCell = 30;
const tableWidth = 88;

/** Formats CSV as a table if that fits the page, otherwise with one line for each row. */
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
  /** The file extension under which LibreOffice reads the source. */
  readonly extension: 'txt' | 'html' | 'csv';
  /** The source for LibreOffice. */
  readonly sourceOf: (file: string) => Promise<string>;
  /** Converts the source to plain text, which is drawn if LibreOffice is not installed. */
  readonly textOf: (source: string) => Promise<string>;
}

const plain = { extension: 'txt', textOf: async (text: string) => text } as const;
const start = (file: string) => readStart(file, textLimit);

/**
 * Each type has its own converter, because results are cached by digest and converter, and equal bytes can have
 * several types.
 */
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

/** Convert texts to PDF: by LibreOffice if it is installed, otherwise drawn in the font of the server. */
export const textPdfs: readonly Converter[] = kinds.map((kind) => ({
  name: kind.name,
  makes: 'pdf',
  takes: kind.takes,
  canUse: ['libreoffice'],
  convert: convert(kind),
}));
