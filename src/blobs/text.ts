import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { BlobStore } from './blob-store.ts';

/** The encodings that are recognized by the bytes. Windows-1252 stands for all single-byte encodings. */
type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** The number of bytes at the beginning of a file by which its format and encoding are recognized. */
export const startBytes = 65_536;

/**
 * Whether a byte occurs only in binary files. Bell, backspace, tabs, line breaks and escape also occur in logs and
 * manuals.
 */
const isUntextual = (byte: number): boolean =>
  byte < 7 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127;

function isUntextualIn(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (isUntextual(text.charCodeAt(index))) return true;
  return false;
}

/** Whether bytes are valid in an encoding. The last character can be incomplete. */
function isValid(bytes: Uint8Array, encoding: TextEncoding): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Whether bytes are text. An MP3 file can begin like UTF-16, but then contains characters that text does not. */
function isText(bytes: Uint8Array, encoding: TextEncoding): boolean {
  if (!isValid(bytes, encoding)) return false;
  const text = new TextDecoder(encoding).decode(bytes, { stream: true });
  return !isUntextualIn(text) && !/[\p{Cn}\p{Co}]/u.test(text);
}

/** Patterns of text in ASCII and one other script. */
const oneScript = [
  /^[\t\n\f\r -~\p{P}\p{S}\p{Zs}\p{M}\p{sc=Latin}]*$/u,
  /^[\t\n\f\r -~\p{P}\p{S}\p{Zs}\p{M}\p{sc=Greek}]*$/u,
  /^[\t\n\f\r -~\p{P}\p{S}\p{Zs}\p{M}\p{sc=Cyrillic}]*$/u,
  /^[\t\n\f\r -~\p{P}\p{S}\p{Zs}\p{M}\p{sc=Arabic}]*$/u,
  /^[\t\n\f\r -~\p{P}\p{S}\p{Zs}\p{M}\p{sc=Hebrew}]*$/u,
  /^[\t\n\f\r -~\p{P}\p{S}\p{Zs}\p{M}\p{sc=Thai}]*$/u,
  /^[\t\n\f\r -~\p{P}\p{S}\p{Zs}\p{M}\p{sc=Devanagari}]*$/u,
  /^[\t\n\f\r -~\p{P}\p{S}\p{Zs}\p{M}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]*$/u,
];

/**
 * Recognizes UTF-16 without a byte order mark: binary data rarely decode to text that has only ASCII and one other
 * script.
 */
function unmarkedEncoding(bytes: Uint8Array): TextEncoding | undefined {
  if (bytes.length === 0 || bytes.length % 2 !== 0) return undefined;
  const found = (['utf-16le', 'utf-16be'] as const)
    .filter((encoding) => isValid(bytes, encoding))
    .map((encoding) => ({ encoding, text: new TextDecoder(encoding).decode(bytes, { stream: true }) }))
    .filter(({ text }) => oneScript.some((script) => script.test(text)))
    .map(({ encoding, text }) => ({ encoding, ascii: text.replaceAll(/[^\n -~]/g, '').length }))
    .filter(({ ascii }) => ascii > 0)
    .sort((one, other) => other.ascii - one.ascii);
  return found[0]?.encoding;
}

/** The encoding that a byte order mark names. */
const markedEncoding = ([first, second]: Uint8Array): TextEncoding | undefined =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined;

/** Recognizes the encoding of text by the first bytes of a file; undefined if they are not text. */
export function textEncodingOf(bytes: Uint8Array): TextEncoding | undefined {
  const start = bytes.subarray(0, startBytes);
  const marked = markedEncoding(start);
  if (marked !== undefined) return isText(start, marked) ? marked : undefined;
  if (start.some(isUntextual)) return unmarkedEncoding(start);
  return isValid(start, 'utf-8') ? 'utf-8' : 'windows-1252';
}

/** Decodes text without loss; undefined if the bytes are not text in the encoding. */
function decodeExactly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: encoding === 'utf-8' }).decode(bytes);
    return isUntextualIn(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Decodes UTF-8 or UTF-16 without loss; undefined if the bytes are anything else. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = textEncodingOf(bytes);
  return encoding === undefined || encoding === 'windows-1252' ? undefined : decodeExactly(bytes, encoding);
}

/**
 * Decodes a complete text file.
 * @param encoding the encoding in the blob's metadata, if any.
 * @returns undefined if the bytes are not text, or not in this encoding, or the encoding is unknown.
 */
export function decodeFile(bytes: Uint8Array, encoding: string | null): string | undefined {
  if (encoding !== null) return decodeExactly(bytes, encoding.toLowerCase());
  const found = textEncodingOf(bytes);
  if (found !== 'windows-1252') return decodeText(bytes);
  return bytes.some(isUntextual) ? undefined : decodeAny(bytes, false);
}

const windowsSigns = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Replaces C1 control characters, which Node's decoder of Windows-1252 produces, by the characters of Windows-1252. */
export const withWindowsSigns = (text: string): string =>
  text.replace(/[\u0080-\u009f]/g, (control) => windowsSigns.charAt(control.charCodeAt(0) - 0x80));

/**
 * Decodes text as UTF-16, UTF-8 or else Windows-1252.
 * @param isTruncated whether the last character can be incomplete.
 */
function decodeAny(bytes: Uint8Array, isTruncated: boolean): string {
  const encoding = textEncodingOf(bytes);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isTruncated });
  } catch {
    return withWindowsSigns(new TextDecoder('windows-1252').decode(bytes));
  }
}

/** Reads the text at the beginning of a file. @param maxBytes the maximum number of bytes to read. */
export async function readStart(path: string, maxBytes: number): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(maxBytes, size));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return decodeAny(bytes.subarray(0, bytesRead), bytesRead < size);
  } finally {
    await file.close();
  }
}

/** Reads the text at the beginning of a blob. @param maxBytes at least 1. @throws BlobMissing, BlobStoreAway */
export async function readBlobStart(
  store: Pick<BlobStore, 'read'>,
  digest: string,
  maxBytes: number,
): Promise<string> {
  const bytes = await buffer(await store.read(digest, { start: 0, end: maxBytes }));
  return decodeAny(bytes.subarray(0, maxBytes), bytes.length > maxBytes);
}
