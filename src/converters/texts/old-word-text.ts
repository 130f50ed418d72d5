import { decode } from '../../blobs/decode.ts';
import { legacyEncodingOf } from '../../blobs/legacy-encoding.ts';
import { encrypted } from '../encrypted.ts';

// Word documents before Word 97. Their first bytes are the file information block (FIB), which contains the position of
// the text: body, notes, headers and comments in a single run.

/** The signatures of Word 1, Word 2, and Word 6 and 95. */
const signatures: ReadonlySet<number> = new Set([0xa59b, 0xa5db, 0xa5dc]);

const word6 = 0xa5dc;

/** The offsets of fields in the FIB. */
const fields = {
  flags: 0x0a,
  textStart: 0x18,
  textEnd: 0x1c,
  piecesStart: 0x160,
  piecesLength: 0x164,
} as const;

const flag = { isFastSaved: 0x0004, isEncrypted: 0x0100, isEastAsian: 0x4000 } as const;

const minLength = fields.piecesLength + 4;

/** Whether a file, or the stream WordDocument of a compound file, is a document of Word 1 to 95. */
export const isOldWord = (bytes: Buffer): boolean =>
  bytes.length >= minLength && signatures.has(bytes.readUInt16LE(0));

/**
 * Returns the pieces of a document that was last saved by "fast save", which appends changed text instead of replacing
 * it. Returns undefined if the table of pieces is damaged.
 * @param width the number of bytes per character
 */
function piecesOf(bytes: Buffer, width: number): Buffer[] | undefined {
  const start = bytes.readUInt32LE(fields.piecesStart);
  const end = Math.min(start + bytes.readUInt32LE(fields.piecesLength), bytes.length);
  for (let at = start; at + 5 <= end; ) {
    const type = bytes.readUInt8(at);
    const length = bytes.readUInt16LE(at + 1);
    if (type === 1) at += 3 + length;
    if (type === 1) continue;
    if (type !== 2) return undefined;
    // The table has n + 1 positions in the text, followed by n descriptors with a position in the file.
    const table = bytes.subarray(at + 5, Math.min(at + 5 + length, end));
    const count = Math.floor((table.length - 4) / 12);
    return Array.from({ length: Math.max(0, count) }, (_, index) => {
      const characters = table.readUInt32LE(4 * index + 4) - table.readUInt32LE(4 * index);
      const from = table.readUInt32LE(4 * (count + 1) + 8 * index + 2);
      return bytes.subarray(from, from + Math.max(0, characters) * width);
    });
  }
  return undefined;
}

/** The characters around a field: its code, such as `HYPERLINK "http://…"`, is followed by the result that is shown. */
const field = { begin: 0x13, separator: 0x14, end: 0x15 } as const;

/**
 * The control characters that stand for something that is shown: the ends of table cells, lines, pages, paragraphs and
 * columns, and a non-breaking hyphen. Others stand for optional hyphens, pictures and references to notes.
 */
const shownControls: ReadonlyMap<number, string> = new Map([
  ...[0x07, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e].map((code) => [code, '\n'] as const),
  [0x09, '\t'],
  [0x1e, '-'],
]);

const firstLetter = 0x20;

/** Returns the text that is shown, with the results of fields instead of their codes. */
function shownText(text: string): string {
  let shown = '';
  /** For each open field, whether its result has begun. */
  const results: boolean[] = [];
  let hidden = 0; // the number of open fields whose result has not begun
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === field.begin) {
      results.push(false);
      hidden += 1;
    } else if (code === field.separator && results.at(-1) === false) {
      results[results.length - 1] = true;
      hidden -= 1;
    } else if (code === field.end) {
      if (results.pop() === false) hidden -= 1;
    } else if (hidden === 0) {
      shown += code < firstLetter ? (shownControls.get(code) ?? '') : text.charAt(index);
    }
  }
  return shown;
}

/** Extracts the text of a document of Word 1 to 95. */
export function textOfOldWord(bytes: Buffer): string {
  const flags = bytes.readUInt16LE(fields.flags);
  if ((flags & flag.isEncrypted) !== 0) throw encrypted();
  const isWord6 = bytes.readUInt16LE(0) === word6;
  const isWide = isWord6 && (flags & flag.isEastAsian) !== 0;
  const isFastSaved = isWord6 && (flags & flag.isFastSaved) !== 0;
  const pieces = (isFastSaved && piecesOf(bytes, isWide ? 2 : 1)) || [
    bytes.subarray(bytes.readUInt32LE(fields.textStart), bytes.readUInt32LE(fields.textEnd)),
  ];
  const all = Buffer.concat(pieces);
  // The document names a code page for each font, but its language is often wrong, so the encoding is guessed.
  return shownText(decode(all, isWide ? 'utf-16le' : legacyEncodingOf(all)));
}
