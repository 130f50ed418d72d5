import { writeFile } from 'node:fs/promises';
import { readStart } from '../../blobs/text.ts';
import type { ConversionTask, Converted, Converter, Source } from '../converter.ts';
import { drawText } from '../pdf/draw-text.ts';
import { officePdfOf } from '../programs/office.ts';
import { htmlOfMarkdown, markdownTypes } from './html-pages.ts';
import { textOfHtml } from './html-text.ts';
import { textLimit } from './text-limit.ts';

/** The maximum width, in characters, of a cell when a CSV file is drawn as a table. */
const maxCell = 30;
const tableWidth = 88;

/** Formats CSV as a table if the table fits on the page, and otherwise with one line per row. */
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
  /** The file extension, from which LibreOffice determines the format of the source. */
  readonly extension: 'txt' | 'html' | 'csv';
  /** Returns the text that LibreOffice converts. */
  readonly sourceOf: (source: Source) => Promise<string>;
  /** Converts the source to plain text. This text is drawn if LibreOffice is not installed. */
  readonly textOf: (source: string) => Promise<string>;
}

const plain = { extension: 'txt', textOf: async (text: string) => text } as const;
const start = ({ file, encoding }: Source) => readStart(file, textLimit, encoding);

/**
 * The text formats. Each has a separate converter, because results are cached by digest and converter, and files with
 * identical bytes can have different media types.
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
    const source = await sourceOf(task);
    if (task.tools.paths.libreoffice === undefined)
      return { mimeType: 'application/pdf', bytes: await drawText(await textOf(source)) };
    const write = (path: string) => writeFile(path, `\uFEFF${source.replace(/^\uFEFF/, '')}`);
    return { mimeType: 'application/pdf', file: await officePdfOf(task, { extension, write }) };
  };

/**
 * Converters from text formats to PDF. They use LibreOffice if it is installed; otherwise, they draw the text in the
 * server's font.
 */
export const textPdfs: readonly Converter[] = kinds.map((kind) => ({
  name: kind.name,
  makes: 'pdf',
  takes: kind.takes,
  canUse: ['libreoffice'],
  convert: convert(kind),
}));
