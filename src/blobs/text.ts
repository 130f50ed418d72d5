import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { BlobStore } from './blob-store.ts';
import { decode } from './decode.ts';
import { isPlausible, knownEncoding, legacyEncodingOf } from './legacy-encoding.ts';

/** The encodings that can be detected reliably. */
type Unicode = 'utf-8' | 'utf-16le' | 'utf-16be' | 'utf-32le' | 'utf-32be';

/** The number of bytes at the beginning of a file that determine its format and encoding. */
export const startBytes = 65_536;

/**
 * Whether a byte occurs only in binary files. Bell, backspace, tab, line break and escape characters also occur in logs
 * and manual pages.
 */
const isUntextual = (byte: number): boolean =>
  byte < 7 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127;

function isUntextualIn(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (isUntextual(text.charCodeAt(index))) return true;
  return false;
}

/** Whether bytes are valid in an encoding. The last character may be incomplete. */
function isValid(bytes: Uint8Array, encoding: Unicode): boolean {
  try {
    decode(bytes, encoding, { isFatal: true, isTruncated: true });
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether bytes are text in an encoding. An MP3 file can begin like UTF-16 text, but decoding its bytes yields
 * characters that do not occur in text.
 */
function isText(bytes: Uint8Array, encoding: Unicode): boolean {
  if (!isValid(bytes, encoding)) return false;
  const text = decode(bytes, encoding, { isTruncated: true });
  return !isUntextualIn(text) && !/[\p{Cn}\p{Co}]/u.test(text);
}

/** Patterns, each of which matches text that consists of ASCII and one other script. */
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
 * Detects UTF-16 without a byte order mark. Decoding binary data as UTF-16 rarely yields text in ASCII and only one
 * other script.
 */
function unmarkedEncoding(bytes: Uint8Array): Unicode | undefined {
  if (bytes.length === 0 || bytes.length % 2 !== 0) return undefined;
  const found = (['utf-16le', 'utf-16be'] as const)
    .filter((encoding) => isValid(bytes, encoding))
    .map((encoding) => ({ encoding, text: decode(bytes, encoding, { isTruncated: true }) }))
    .filter(({ text }) => oneScript.some((script) => script.test(text)))
    .map(({ encoding, text }) => ({ encoding, ascii: text.replaceAll(/[^\n -~]/g, '').length }))
    .filter(({ ascii }) => ascii > 0)
    .sort((one, other) => other.ascii - one.ascii);
  return found[0]?.encoding;
}

/**
 * The byte order marks in hexadecimal, except that of UTF-8, which needs none. The mark of UTF-32 begins like that of
 * UTF-16.
 */
const marks: ReadonlyArray<readonly [mark: string, encoding: Unicode]> = [
  ['fffe0000', 'utf-32le'],
  ['0000feff', 'utf-32be'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];

/** Returns the encoding that a byte order mark identifies. */
function markedEncoding(bytes: Uint8Array): Unicode | undefined {
  const start = Buffer.from(bytes.subarray(0, 4)).toString('hex');
  return marks.find(([mark]) => start.startsWith(mark))?.[1];
}

/** The number of bytes at the beginning of HTML and XML files in which the encoding is declared. */
const declarationBytes = 1_024;

/** Returns the encoding that is declared at the beginning of an HTML or XML file. */
function encodingInside(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, declarationBytes)).toString('latin1');
  const [, inXml] = /^\s*<\?xml[^<>]{0,200}?encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})/i.exec(start) ?? [];
  if (inXml !== undefined) return inXml;
  const [, inPage] = /<meta[^<>]{0,300}?charset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i.exec(start) ?? [];
  return inPage;
}

/** Whether bytes contain the escape sequences of ISO-2022-JP, which encodes Japanese in ASCII characters. */
const hasJapaneseEscapes = (bytes: Uint8Array): boolean =>
  ['\u001b$B', '\u001b$@'].some((sequence) => Buffer.from(bytes).includes(sequence));

/**
 * Determines the encoding of text from the first bytes of a file. The first of these applies:
 * 1. UTF-32 with a byte order mark, UTF-16 with or without one, ISO-2022-JP or UTF-8, if the bytes are valid in it;
 * 2. the encoding declared outside the file or, failing that, inside an HTML or XML file, if it is plausible;
 * 3. the encoding that yields the most plausible words.
 * @param declared the encoding that is declared outside the file, for example in a media type.
 * @returns the lower-case name of the encoding; undefined if the bytes are not text.
 */
export function textEncodingOf(bytes: Uint8Array, declared?: string | null): string | undefined {
  const start = bytes.subarray(0, startBytes);
  const marked = markedEncoding(start);
  if (marked !== undefined) return isText(start, marked) ? marked : undefined;
  if (start.some(isUntextual)) return unmarkedEncoding(start);
  if (hasJapaneseEscapes(start)) return 'iso-2022-jp';
  return isValid(start, 'utf-8') ? 'utf-8' : nonUnicode(start, declared);
}

/** Determines the encoding of text that is not Unicode. */
function nonUnicode(bytes: Uint8Array, declared?: string | null): string {
  for (const name of [declared, encodingInside(bytes)]) {
    const known = name ? knownEncoding(name) : undefined;
    if (known !== undefined && !/^utf-/.test(known) && isPlausible(bytes, known)) return known;
  }
  return legacyEncodingOf(bytes);
}

/** Decodes text without loss. Returns undefined if the bytes are not text in the encoding. */
function decodeExactly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    const text = decode(bytes, encoding, { isFatal: true, keepsMark: encoding === 'utf-8' });
    return isUntextualIn(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Decodes UTF-8, UTF-16 or UTF-32 without loss. Returns undefined for other bytes. */
export function decodeText(bytes: Uint8Array): string | undefined {
  const encoding = textEncodingOf(bytes);
  return encoding?.startsWith('utf-') ? decodeExactly(bytes, encoding) : undefined;
}

/**
 * Decodes a complete text file.
 * @param encoding the encoding in the blob's metadata, if there is one.
 * @returns undefined if the bytes are not text in this encoding or if the encoding is unknown.
 */
export function decodeFile(bytes: Uint8Array, encoding: string | null): string | undefined {
  if (encoding !== null) return decodeExactly(bytes, encoding.toLowerCase());
  const found = textEncodingOf(bytes);
  if (found === undefined || found.startsWith('utf-')) return decodeText(bytes);
  return bytes.some(isUntextual) ? undefined : decodeAny(bytes, false);
}

/**
 * Decodes text in any encoding.
 * @param isTruncated whether the last character may be incomplete.
 * @param declared the encoding that is declared outside the bytes.
 */
export function decodeAny(bytes: Uint8Array, isTruncated: boolean, declared?: string | null): string {
  const encoding = textEncodingOf(bytes, declared);
  if (encoding !== undefined && encoding !== 'utf-8') return decode(bytes, encoding, { isTruncated });
  try {
    return decode(bytes, 'utf-8', { isFatal: true, isTruncated });
  } catch {
    return decode(bytes, nonUnicode(bytes, declared), { isTruncated }); // only the beginning is ASCII
  }
}

/**
 * Reads the text at the beginning of a file.
 * @param maxBytes the maximum number of bytes to read.
 * @param declared the encoding that is declared outside the file.
 */
export async function readStart(path: string, maxBytes: number, declared?: string | null): Promise<string> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes = Buffer.alloc(Math.min(maxBytes, size));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return decodeAny(bytes.subarray(0, bytesRead), bytesRead < size, declared);
  } finally {
    await file.close();
  }
}

/**
 * Reads the text at the beginning of a blob.
 * @param maxBytes at least 1.
 * @throws BlobMissing, BlobStoreAway
 */
export async function readBlobStart(
  store: Pick<BlobStore, 'read'>,
  { digest, encoding }: { readonly digest: string; readonly encoding?: string | null },
  maxBytes: number,
): Promise<string> {
  const bytes = await buffer(await store.read(digest, { start: 0, end: maxBytes }));
  return decodeAny(bytes.subarray(0, maxBytes), bytes.length > maxBytes, encoding);
}
