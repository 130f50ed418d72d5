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

/** Decodes text that may be cut off within a character: UTF-16 by its mark, UTF-8, else Latin-1. */
function decodeAny(bytes: Uint8Array): string {
  const marked = markedEncoding(bytes);
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The text at the beginning of a file. @param most bytes. */
export async function readStart(path: string, most: number): Promise<string> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(Math.min(most, (await file.stat()).size));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    return decodeAny(bytes.subarray(0, bytesRead));
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
  return decodeAny(await buffer(await store.read(digest, { start: 0, end: most - 1 })));
}
