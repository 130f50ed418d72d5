import type { Readable } from 'node:stream';
import type { Converter } from '../converter.ts';
import { asText, textLimit } from './text-limit.ts';
import { unpacked } from './unpacked.ts';

interface TextElements {
  /** The elements whose text is extracted, including that of the elements inside them. */
  readonly texts: readonly string[];
  /** The elements that end a word. */
  readonly ends: readonly string[];
}

/**
 * Extracts the text of an XML file while it is read. Entities that the file declares are not expanded.
 * @param maxLength the number of characters after which reading stops.
 * @throws Error if the XML is not well-formed.
 */
async function textOfXml(bytes: Readable, { texts, ends }: TextElements, maxLength: number): Promise<string> {
  const { default: sax } = await import('sax');
  const parser = sax.parser(true);
  const decoder = new TextDecoder();
  const [counting, ending] = [new Set(texts), new Set(ends)];
  const pieces: string[] = [];
  let length = 0;
  let depth = 0; // the nesting of elements whose text is extracted
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
    if (length >= maxLength) break;
  }
  return pieces.join('');
}

interface OfficeFormat {
  /** The media types, without the prefix `application/vnd.`. */
  readonly types: readonly string[];
  /** Matches the names of the files in the archive that contain text. */
  readonly files: RegExp;
  /** The elements whose text is extracted. */
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

/** Extracts the text of Office Open XML and OpenDocument files, which are zip archives of XML. */
export const officeText: Converter = {
  name: 'office2text',
  makes: 'text',
  takes: formats.flatMap(typesOf),
  convert: async ({ file, mimeType }) => {
    const format = formats.find((each) => typesOf(each).includes(mimeType));
    if (!format) throw new Error(`${mimeType} is not an office format`);
    let text = '';
    for await (const bytes of unpacked(file, format.files)) {
      text += await textOfXml(bytes, format, textLimit - text.length);
      if (text.length >= textLimit) break;
    }
    return asText(text);
  },
};
