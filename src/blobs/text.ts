import { open } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { BlobStore } from './blob-store.ts';

/** Control bytes of binary files. Bell, backspace, tabs, line ends and escape occur in logs and manuals. */
const isUntextual = (byte: number): boolean =>
  byte < 7 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127;

/** Decodes UTF-8 text, losslessly; undefined when the bytes are no text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes.some(isUntextual)) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The encoding that a byte order mark names. */
const markedEncoding = ([first, second]: Uint8Array): string | undefined =>
  first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : undefined;

const windowsSigns = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Puts the signs of Windows-1252 where Node's decoder leaves the control characters of Latin-1. */
export const withWindowsSigns = (text: string): string =>
  text.replace(/[\u0080-\u009f]/g, (control) => windowsSigns.charAt(control.charCodeAt(0) - 0x80));

/** Decodes text: UTF-16 by its mark, UTF-8, else Windows-1252. @param isCut maybe within a character. */
function decodeAny(bytes: Uint8Array, isCut: boolean): string {
  const marked = markedEncoding(bytes);
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes);
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
