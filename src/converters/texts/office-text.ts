import type { Converter } from '../converter.ts';
import { asText, textLimit } from './text-limit.ts';
import { unpacked } from './unpacked.ts';
import { textOfXml } from './xml-text.ts';

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
