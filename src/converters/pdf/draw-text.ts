import type { PDFDocument, PDFRef } from 'pdf-lib';
import { ProgramNeeded } from '../converter.ts';
import { type DrawnFont, readDrawnFont } from './drawn-font.ts';

/** The size of an A4 page with margins of 2 cm, in points. */
const page = { width: 595.28, height: 841.89, margin: 56.7 };
const size = 9;
const leading = 11.5;
const linesOfPage = Math.floor((page.height - 2 * page.margin) / leading);

/** The maximum number of pages. A truncated PDF says so in its last line. */
const maxPages = 500;

/**
 * Matches letters of scripts that can be drawn character by character from left to right. Other scripts need text
 * shaping, which is not implemented.
 */
const simpleLetter =
  /^[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Armenian}\p{sc=Georgian}\p{sc=Common}\p{sc=Inherited}]$/u;
const letter = /^[\p{L}\p{M}\p{N}]$/u;

/** The character □, which replaces symbols that the font lacks, such as emoji. */
const substitute = 0x25a1;

/**
 * Returns the glyphs of a line, each as four hexadecimal digits.
 * @throws ProgramNeeded if the line contains a letter that cannot be drawn
 */
function glyphsOf(line: string, font: DrawnFont, used: Map<number, number>): string[] {
  return Array.from(line, (character) => {
    const code = character.codePointAt(0) ?? substitute;
    const glyph = font.glyphOf(code);
    if (letter.test(character) && (glyph === undefined || !simpleLetter.test(character))) {
      const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
      throw new ProgramNeeded('libreoffice', `The server's font cannot draw "${character}" (${name}).`);
    }
    const drawn = glyph === undefined ? substitute : code;
    const id = glyph ?? font.glyphOf(substitute) ?? 0;
    used.set(id, drawn);
    return id.toString(16).padStart(4, '0');
  });
}

/** Wraps a line into pieces of at most `columns` characters, at spaces if possible. */
function* wrapped(line: string, columns: number): Generator<string> {
  const characters = Array.from(line);
  let from = 0;
  while (characters.length - from > columns) {
    const blank = characters.lastIndexOf(' ', from + columns);
    const end = blank > from ? blank : from + columns;
    yield characters.slice(from, end).join('');
    from = end === blank ? end + 1 : end;
  }
  yield characters.slice(from).join('');
}

/** Splits a text into lines. Yields one line at a time, because the rest of the text may not be needed. */
function* linesOf(text: string): Generator<string> {
  let start = 0;
  for (const { index, 0: end } of text.matchAll(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/g)) {
    yield text.slice(start, index);
    start = index + end.length;
  }
  yield text.slice(start);
}

/**
 * Matches more than 30 combining marks in a row, which no script uses (Unicode, UAX 15). The marks after the first 30
 * are removed, because the time to normalize a text grows quadratically with the number of consecutive marks.
 */
const excessMarks = /(\p{M}{30})\p{M}+/gu;

/** Normalizes a line, removes its control characters, and expands tabs to multiples of eight columns. */
function cleaned(line: string): string {
  const normalized = line
    .replace(excessMarks, '$1')
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  if (!normalized.includes('\t')) return normalized.replace(/\p{Cc}/gu, '');
  return normalized
    .split('\t')
    .map((cell) => {
      const shown = cell.replace(/\p{Cc}/gu, '');
      return shown.padEnd(shown.length + 8 - (shown.length % 8));
    })
    .join('')
    .trimEnd();
}

const hex = (number: number): string => number.toString(16).padStart(4, '0');

/** Returns the ToUnicode map for the glyphs that are used. PDF viewers need it to search and copy text. */
function unicodeOf(used: ReadonlyMap<number, number>): string {
  const entries = [...used].map(([id, code]) => {
    const units = Array.from(String.fromCodePoint(code).split(''), (unit) => hex(unit.charCodeAt(0)));
    return `<${hex(id)}> <${units.join('')}>`;
  });
  const blocks: string[] = [];
  for (let at = 0; at < entries.length; at += 100) {
    const some = entries.slice(at, at + 100);
    blocks.push(`${some.length} beginbfchar\n${some.join('\n')}\nendbfchar`);
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks.join('\n')}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}

const name = 'DejaVuSansMono';

async function embed(
  { context }: PDFDocument,
  { file, width, ascent, descent, box }: DrawnFont,
  used: ReadonlyMap<number, number>,
): Promise<PDFRef> {
  const { PDFString } = await import('pdf-lib');
  const fontFile = context.register(context.flateStream(file, { Length1: file.length }));
  const descriptor = context.obj({
    Type: 'FontDescriptor',
    FontName: name,
    Flags: 5, // FixedPitch and Symbolic
    FontBBox: [...box],
    ItalicAngle: 0,
    Ascent: ascent,
    Descent: descent,
    CapHeight: ascent,
    StemV: 80,
    FontFile2: fontFile,
  });
  const glyphs = context.obj({
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: name,
    CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
    FontDescriptor: context.register(descriptor),
    DW: width,
    CIDToGIDMap: 'Identity',
  });
  return context.register(
    context.obj({
      Type: 'Font',
      Subtype: 'Type0',
      BaseFont: name,
      Encoding: 'Identity-H',
      DescendantFonts: [context.register(glyphs)],
      ToUnicode: context.register(context.flateStream(unicodeOf(used))),
    }),
  );
}

/**
 * Creates a PDF of a text, drawn line by line in the server's font.
 * @throws ProgramNeeded if the font lacks a letter or the script needs text shaping.
 */
export async function drawText(text: string): Promise<Uint8Array> {
  const { PDFDocument, PDFName } = await import('pdf-lib');
  const font = await readDrawnFont();
  const columns = Math.floor((page.width - 2 * page.margin) / ((size * font.width) / 1000));
  const used = new Map<number, number>();
  const pages: string[][] = [[]];
  const isFull = () => pages.length === maxPages && pages.at(-1)?.length === linesOfPage - 1;
  for (const line of linesOf(text)) {
    for (const piece of wrapped(cleaned(line), columns)) {
      if (isFull()) break;
      if (pages.at(-1)?.length === linesOfPage) pages.push([]);
      pages.at(-1)?.push(glyphsOf(piece, font, used).join(''));
    }
    if (isFull()) break;
  }
  if (isFull())
    pages.at(-1)?.push(glyphsOf(`[… The PDF ends after ${maxPages} pages.]`, font, used).join(''));
  const document = await PDFDocument.create();
  const { context } = document;
  const resources = context.register(context.obj({ Font: { F: await embed(document, font, used) } }));
  const top = page.height - page.margin - size;
  for (const lines of pages) {
    const { node } = document.addPage([page.width, page.height]);
    const shown = lines.map((line) => (line ? `<${line}> Tj T*` : 'T*')).join('\n');
    const content = `BT /F ${size} Tf ${leading} TL ${page.margin} ${top.toFixed(2)} Td\n${shown}\nET`;
    node.set(PDFName.of('Resources'), resources);
    node.set(PDFName.of('Contents'), context.register(context.flateStream(content)));
  }
  return document.save();
}
