import { buffer } from 'node:stream/consumers';
import type { Converter } from '../converter.ts';
import { encrypted } from '../encrypted.ts';
import { cellRules } from './cell-text.ts';
import { isCompoundFile, readCompoundFile, textOfOtherFormat } from './compound-file.ts';
import { asText, textLimit } from './text-limit.ts';
import { unpacked } from './unpacked.ts';
import { textOfXml, type XmlRules } from './xml-text.ts';

/**
 * A group of files in an archive. Their text is extracted in the order in which the archive contains them.
 */
interface Pass {
  /** Matches the names of the files. */
  readonly files: RegExp;
  readonly rules: XmlRules;
}

interface OfficeFormat {
  /** The accepted media types, without the prefix `application/vnd.`. */
  readonly types: readonly string[];
  /** Returns the groups of files to read, the most important first. */
  readonly passes: (file: string) => Promise<readonly Pass[]>;
  /**
   * Matches the names of embedded files in other formats whose content is displayed as part of the document.
   */
  readonly chunks?: RegExp;
}

const openXml = 'openxmlformats-officedocument.';
const openDocument = 'oasis.opendocument.';

const rules = (isLocal: boolean, texts: string, ends: string, hidden: string): XmlRules => ({
  isLocal,
  texts: new Set(texts.split(' ')),
  ends: new Set(ends.split(' ')),
  hidden: new Set(hidden.split(' ')),
});

/**
 * Rules for the text of Word and PowerPoint files: `t` is a run of text, `v` a value in a chart. A Fallback element
 * repeats its sibling's content in an older form.
 */
const runs = rules(true, 't v text', 'p br tab cr ptab pt text txbxContent tc', 'Fallback moveFrom rt');

/** Matches the paths of charts and diagrams in all formats. */
const drawings = '(charts|diagrams)\\/(chart|data)[^/]*\\.xml';

const openDocumentEnds =
  'text:p text:h text:tab text:line-break office:annotation text:note dc:creator presentation:footer-decl presentation:header-decl';

const openDocumentRules: XmlRules = {
  ...rules(
    false,
    'text:p text:h presentation:footer-decl presentation:header-decl',
    openDocumentEnds,
    'text:tracked-changes text:note-citation dc:date meta:date-string text:ruby-text',
  ),
  shown: (name) => (name === 'text:s' ? ' ' : undefined),
};

const spreadsheetRules: XmlRules = {
  ...openDocumentRules,
  ends: new Set([...openDocumentRules.ends, 'table:table', 'table:table-cell']),
  shown: (name, attributes) => {
    if (name === 'table:table') return `${attributes['table:name'] ?? ''}\n`;
    return name === 'text:s' ? ' ' : undefined;
  },
  value: (name, attributes) => (name === 'table:table-cell' ? attributes['office:value'] : undefined),
};

/** Rules for headers and footers, which OpenDocument files store with the page styles. */
const pageRules: XmlRules = {
  ...openDocumentRules,
  texts: new Set(
    ['header', 'footer'].flatMap((part) => ['', '-left', '-first'].map((page) => `style:${part}${page}`)),
  ),
};

const openDocumentFormat = (types: readonly string[], content: XmlRules): OfficeFormat => ({
  types,
  passes: async () => [
    { files: /^content\.xml$/, rules: content },
    { files: /^styles\.xml$/, rules: pageRules },
    { files: /^Object [^/]+\/content\.xml$/, rules: openDocumentRules }, // charts and formulas
  ],
});

const formats: readonly OfficeFormat[] = [
  {
    types: [
      `${openXml}wordprocessingml.document`,
      `${openXml}wordprocessingml.template`,
      'ms-word.document.macroenabled.12',
      'ms-word.template.macroenabled.12',
    ],
    passes: async () => [
      { files: /^word\/document[^/]*\.xml$/, rules: runs },
      { files: /^word\/(?!document)[^/]+\.xml$/, rules: runs },
      { files: new RegExp(`^word\\/${drawings}$`), rules: runs },
    ],
    chunks:
      /^(?!_rels\/|docProps\/|customXml\/|word\/(embeddings|media)\/).*\.(x?html?|mht|mhtml|rtf|txt|docx)$/i,
  },
  {
    types: [
      `${openXml}presentationml.presentation`,
      `${openXml}presentationml.slideshow`,
      `${openXml}presentationml.template`,
      `${openXml}presentationml.slide`,
      'ms-powerpoint.presentation.macroenabled.12',
      'ms-powerpoint.slideshow.macroenabled.12',
      'ms-powerpoint.template.macroenabled.12',
      'ms-powerpoint.slide.macroenabled.12',
    ],
    passes: async () => [
      { files: /^ppt\/slides\/[^/]+\.xml$/, rules: runs },
      { files: /^ppt\/(notesSlides|comments)\/[^/]+\.xml$/, rules: runs },
      { files: new RegExp(`^ppt\\/${drawings}$`), rules: runs },
    ],
  },
  {
    types: [
      `${openXml}spreadsheetml.sheet`,
      `${openXml}spreadsheetml.template`,
      'ms-excel.sheet.macroenabled.12',
      'ms-excel.template.macroenabled.12',
    ],
    passes: async (file) => {
      const cells = await cellRules(file);
      return [
        { files: /^xl\/(workbook|sharedStrings)\.xml$/, rules: cells },
        { files: /^xl\/(worksheets|chartsheets)\/[^/]+\.xml$/, rules: cells },
        {
          files: /^xl\/(comments[^/]*|(comments|threadedComments)\/[^/]+|drawings\/[^/]+)\.xml$/i,
          rules: runs,
        },
        { files: new RegExp(`^xl\\/${drawings}$`), rules: runs },
      ];
    },
  },
  openDocumentFormat(
    [
      ...[
        'text',
        'text-template',
        'text-web',
        'text-master',
        'presentation',
        'presentation-template',
        'graphics',
      ].map((kind) => openDocument + kind),
      'sun.xml.writer',
      'sun.xml.impress',
      'sun.xml.draw',
    ],
    openDocumentRules,
  ),
  openDocumentFormat(
    [`${openDocument}spreadsheet`, `${openDocument}spreadsheet-template`, 'sun.xml.calc'],
    spreadsheetRules,
  ),
];

const typesOf = ({ types }: OfficeFormat): string[] => types.map((type) => `application/vnd.${type}`);

/**
 * Extracts the text of Office Open XML and OpenDocument files, which are zip archives that contain XML files.
 */
export const officeText: Converter = {
  name: 'office2text',
  makes: 'text',
  takes: formats.flatMap(typesOf),
  hasParts: true,
  convert: async (task) => {
    const { file, mimeType, textOfPart } = task;
    const format = formats.find((each) => typesOf(each).includes(mimeType));
    if (!format) throw new Error(`${mimeType} is not an office format`);
    if (await isCompoundFile(file)) {
      await readCompoundFile(file); // the file is encrypted, or in an older format
      return asText(await textOfOtherFormat(task));
    }
    for await (const { bytes } of unpacked(file, /^META-INF\/manifest\.xml$/))
      if ((await buffer(bytes)).includes('encryption-data')) throw encrypted();
    let text = '';
    for (const { files, rules: shown } of await format.passes(file)) {
      for await (const { bytes } of unpacked(file, files)) {
        text += `${await textOfXml(bytes, shown, textLimit - text.length)}\n`;
        if (text.length >= textLimit) return asText(text);
      }
    }
    if (format.chunks)
      for await (const chunk of unpacked(file, format.chunks)) text += `${(await textOfPart(chunk)) ?? ''}\n`;
    return asText(text);
  },
};
