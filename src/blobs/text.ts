import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { BlobStore } from './blob-store.ts';

/** The encodings of text that are told by bytes; Windows-1252 stands for every encoding with one byte a character. */
type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Bytes at the beginning of a file by which its format and its encoding are told. */
export const startBytes = 65_536;

/** Control bytes of binary files. Bell, backspace, tabs, line ends and escape occur in logs and manuals. */
const isUntextual = (byte: number): boolean =>
  byte < 7 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127;

function isUntextualIn(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (isUntextual(text.charCodeAt(index))) return true;
  return false;
}

/** Whether bytes decode without a fault; a character may be cut off at their end. */
function isValid(bytes: Uint8Array, encoding: TextEncoding): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** A sound may begin like the mark of UTF-16, and then has characters that no text has. */
function isText(bytes: Uint8Array, encoding: TextEncoding): boolean {
  if (!isValid(bytes, encoding)) return false;
  const text = new TextDecoder(encoding).decode(bytes, { stream: true });
  return !isUntextualIn(text) && !/[\p{Cn}\p{Co}]/u.test(text);
}

/** Text in ASCII, in one script, or in both. */
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

/** The encoding of UTF-16 without a mark: bytes that are numbers rarely make text in one script with ASCII in it. */
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

/** The encoding of text, by the first bytes of a file; undefined when they are not text. */
export function textEncodingOf(bytes: Uint8Array): TextEncoding | undefined {
  const start = bytes.subarray(0, startBytes);
  const marked = markedEncoding(start);
  if (marked !== undefined) return isText(start, marked) ? marked : undefined;
  if (start.some(isUntextual)) return unmarkedEncoding(start);
  return isValid(start, 'utf-8') ? 'utf-8' : 'windows-1252';
}

/** Decodes text without loss; undefined for bytes that are not text in the encoding. */
function decodeExactly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: encoding === 'utf-8' }).decode(bytes);
    return isUntextualIn(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Decodes text in UTF-8 or UTF-16, without loss; undefined when the bytes are anything else. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = textEncodingOf(bytes);
  return encoding === undefined || encoding === 'windows-1252' ? undefined : decodeExactly(bytes, encoding);
}

/**
 * Decodes a whole text file.
 * @param encoding what its blob says; null when nobody said.
 * @returns undefined for bytes that are not text, and for an encoding that is not known or not theirs.
 */
export function decodeFile(bytes: Uint8Array, encoding: string | null): string | undefined {
  if (encoding !== null) return decodeExactly(bytes, encoding.toLowerCase());
  const found = textEncodingOf(bytes);
  if (found !== 'windows-1252') return decodeText(bytes);
  return bytes.some(isUntextual) ? undefined : decodeAny(bytes, false);
}

const windowsSigns = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Puts the signs of Windows-1252 where Node's decoder leaves the control characters of Latin-1. */
export const withWindowsSigns = (text: string): string =>
  text.replace(/[\u0080-\u009f]/g, (control) => windowsSigns.charAt(control.charCodeAt(0) - 0x80));

/** Decodes text: UTF-16, UTF-8, else Windows-1252. @param isCut maybe within a character. */
function decodeAny(bytes: Uint8Array, isCut: boolean): string {
  const encoding = textEncodingOf(bytes);
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut });
  } catch {
    return withWindowsSigns(new TextDecoder('windows-1252').decode(bytes));
  }
}
/** The text at the beginning of a file. @param most bytes. */
export async function readStart(path: string, most: number): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(most, size));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return decodeAny(bytes.subarray(0, bytesRead), bytesRead < size);
  } finally {
    await file.close();
  }
}

/** The text at the beginning of a blob. @param most bytes, one at least. @throws as reading does */
export async function readBlobStart(
  store: Pick<BlobStore, 'read'>,
  digest: string,
  most: number,
): Promise<string> {
  const bytes = await buffer(await store.read(digest, { start: 0, end: most }));
  return decodeAny(bytes.subarray(0, most), bytes.length > most);
}
