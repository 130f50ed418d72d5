import { withWindowsSigns } from './legacy-encoding.ts';

interface DecodeOptions {
  /** Whether bytes that are not valid in the encoding are an error. Otherwise, they become U+FFFD. */
  readonly isFatal?: boolean;
  /** Whether the last character may be incomplete. */
  readonly isTruncated?: boolean;
  /** Whether a byte order mark stays in the text. */
  readonly keepsMark?: boolean;
}

const mark = '\ufeff';
const replacement = 0xfffd;

/** The number of characters that are decoded in one call, which is limited because each is an argument. */
const charactersOfStep = 8_192;

const isCharacter = (codePoint: number): boolean =>
  codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff);

/** Decodes UTF-32, which TextDecoder does not support. */
function decodeUtf32(bytes: Uint8Array, isLittleEndian: boolean, options: DecodeOptions): string {
  const { isFatal = false, isTruncated = false, keepsMark = false } = options;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  let step: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const codePoint = view.getUint32(at, isLittleEndian);
    const isValid = isCharacter(codePoint);
    if (!isValid && isFatal) throw new TypeError(`The bytes at ${at} are not valid UTF-32.`);
    step.push(isValid ? codePoint : replacement);
    if (step.length < charactersOfStep) continue;
    text += String.fromCodePoint(...step);
    step = [];
  }
  text += String.fromCodePoint(...step);
  if (bytes.length % 4 !== 0 && !isTruncated) {
    if (isFatal) throw new TypeError('The last character is incomplete.');
    text += String.fromCodePoint(replacement);
  }
  return text.startsWith(mark) && !keepsMark ? text.slice(1) : text;
}

/**
 * Decodes bytes in any encoding of TextDecoder, or in UTF-32.
 * @throws RangeError for an unknown encoding; TypeError for bytes that are not valid in the encoding, if `isFatal`
 */
export function decode(bytes: Uint8Array, encoding: string, options: DecodeOptions = {}): string {
  const [, order] = /^utf-32(le|be)$/i.exec(encoding) ?? [];
  if (order) return decodeUtf32(bytes, order.toLowerCase() === 'le', options);
  const { isFatal: fatal = false, isTruncated: stream = false, keepsMark: ignoreBOM = false } = options;
  const decoder = new TextDecoder(encoding, { fatal, ignoreBOM });
  const text = decoder.decode(bytes, { stream });
  return decoder.encoding === 'windows-1252' ? withWindowsSigns(text) : text;
}
