import type { Readable } from 'node:stream';
import type { Converter } from '../converter.ts';
import { asText, textLimit } from './text-limit.ts';
import { unpacked } from './unpacked.ts';

interface Wanted {
  /** The elements whose text counts, with that of the elements in them. */
  readonly texts: readonly string[];
  /** The elements that end a word. */
  readonly ends: readonly string[];
}

/**
 * The text of an XML file, as it is read. Entities that the file declares are not expanded.
 * @param most characters after which the rest is not read.
 * @throws what is wrong with the file.
 */
async function textOfXml(bytes: Readable, { texts, ends }: Wanted, most: number): Promise<string> {
  const { default: sax } = await import('sax');
  const parser = sax.parser(true);
  const decoder = new TextDecoder();
  const [counting, ending] = [new Set(texts), new Set(ends)];
  const pieces: string[] = [];
  let length = 0;
  let depth = 0; // of elements whose text counts
  let fault: Error | undefined;
  parser.onopentag = ({ name }) => {
    if (counting.has(name)) depth += 1;
  };
  parser.onclosetag = (name) => {
    if (counting.has(name)) depth -= 1;
    if (ending.has(name)) pieces.push('\n');
  };
  parser.ontext = (piece) => {
    if (depth === 0) return;
    pieces.push(piece);
    length += piece.length;
  };
  parser.onerror = (error) => {
    fault ??= error;
  };
  for await (const chunk of bytes) {
    parser.write(decoder.decode(chunk as Buffer, { stream: true }));
    if (fault) throw fault;
    if (length >= most) break;
  }
  return pieces.join('');
}

interface OfficeFormat {
  /** Media types behind `application/vnd.`. */
  readonly types: readonly string[];
  /** Which files of the archive have text. */
  readonly files: RegExp;
  /** The elements whose text counts. */
  readonly texts: readonly string[];
  /** The elements that end a word. */
  readonly ends: readonly string[];
}

const openXml = 'openxmlformats-officedocument.';
const openDocument = 'oasis.opendocument.';

const formats: readonly OfficeFormat[] = [
  {
    types: [
      `${openXml}wordprocessingml.document`,
      `${openXml}wordprocessingml.template`,
      'ms-word.document.macroenabled.12',
    ],
    files: /^word\/(document|footnotes|endnotes|comments|header\d*|footer\d*)\.xml$/,
    texts: ['w:t'],
    ends: ['w:p', 'w:tab', 'w:br'],
  },
  {
    types: [
      `${openXml}presentationml.presentation`,
      `${openXml}presentationml.slideshow`,
      'ms-powerpoint.presentation.macroenabled.12',
    ],
    files: /^ppt\/(slides|notesSlides)\/[^/]+\.xml$/,
    texts: ['a:t'],
    ends: ['a:p', 'a:br'],
  },
  {
    types: [`${openXml}spreadsheetml.sheet`, 'ms-excel.sheet.macroenabled.12'],
    files: /^xl\/(sharedStrings|comments\d*|worksheets\/[^/]+)\.xml$/,
    texts: ['t'],
    ends: ['si', 'is', 'comment'],
  },
  {
    types: ['text', 'text-template', 'spreadsheet', 'presentation'].map((kind) => openDocument + kind),
    files: /^content\.xml$/,
    texts: ['text:p', 'text:h'],
    ends: ['text:p', 'text:h', 'text:tab', 'text:s', 'text:line-break'],
  },
];

const typesOf = ({ types }: OfficeFormat): string[] => types.map((type) => `application/vnd.${type}`);

/** The text of documents that are archives of XML: those of Microsoft Office since 2007, and OpenDocument. */
export const officeText: Converter = {
  name: 'office2text',
  makes: 'text',
  takes: formats.flatMap(typesOf),
  convert: async ({ file, mimeType }) => {
    const format = formats.find((each) => typesOf(each).includes(mimeType));
    if (!format) throw new Error(`${mimeType} is no format of an office`);
    let text = '';
    for await (const bytes of unpacked(file, format.files)) {
      text += await textOfXml(bytes, format, textLimit - text.length);
      if (text.length >= textLimit) break;
    }
    return asText(text);
  },
};
