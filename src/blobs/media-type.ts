import { buffer } from 'node:stream/consumers';
import { extension, lookup } from 'mime-types';
import type { BlobStore } from './blob-store.ts';
import type { Bytes, StoredBytes } from './store-bytes.ts';
import { startBytes, textEncodingOf } from './text.ts';

/** A media type in lower case, without its parameters. */
export const essence = (mimeType: string): string => mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** The type of a file of which nobody said what it is. */
export const unknownType = 'application/octet-stream';

/** Formats that contain others: the name says which. */
const containers: ReadonlySet<string> = new Set([
  'application/zip',
  'application/x-cfb',
  'application/xml',
  'application/gzip',
]);

/** Types that text never has, whatever the name is: `.ts` may be TypeScript or a video, `.org` an outline. */
const neverText = /^(image\/(?!svg)|(audio|video|font|model)\/|application\/vnd\.lotus-organizer)/;

const isTextual = (type: string): boolean =>
  /^text\/|[/+](xml|json)$|^application\/(rtf|x-ms-regedit|postscript|eps)$/.test(type);

/** What the first bytes show. */
interface Seen {
  /** A format that the bytes prove; it may be a container, whose content the name tells. */
  readonly format: string | undefined;
  readonly isText: boolean;
}

async function look(start: Uint8Array): Promise<Seen> {
  if (start.length === 0) return { format: undefined, isText: false };
  // Imported on first use: most processes never receive a file.
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(start).catch(() => undefined);
  const format = found && essence(found.mime);
  if (format && isTextual(format)) return { format, isText: true };
  // The mark of UTF-16 is the beginning of a sound in MP3 too.
  const isText = (!format || neverText.test(format)) && textEncodingOf(start) !== undefined;
  return { format: isText ? undefined : format, isText };
}

const subtypeOf = (type: string): string => type.slice(type.indexOf('/') + 1).replace(/^x-/, '');

/** One format holds pictures in motion and sound, or sound alone: WebM, Ogg and the family of MP4. */
const isFilmOrSound = (type: string): boolean =>
  /^(audio|video)\/(x-)?(mp4|m4a|m4b|m4v|mpeg4-generic|quicktime|3gpp2?|matroska|webm|ogg|opus|ms-asf|ms-wm[av])$/.test(
    type,
  );

/**
 * Whether bytes of a proven format cannot be of a type. Types of applications that no list has may be any format, and so may
 * text be what looks like a container of text.
 */
function isContradicted(type: string, { format, isText }: Seen): boolean {
  if (format === type) return false;
  if (isText) return neverText.test(type);
  if (format === undefined || subtypeOf(format) === subtypeOf(type)) return false;
  if (containers.has(format)) return /^(text|image|audio|video|font)\//.test(type) && !/svg/.test(type);
  if (isFilmOrSound(format) && isFilmOrSound(type)) return false;
  if (format === 'image/tiff') return !type.startsWith('image/'); // raw pictures of cameras are TIFF
  return /^(text|image|audio|video|font)\//.test(type) || extension(type) !== false;
}

/** What is known of a file that becomes a blob. */
export interface SentFile {
  readonly name?: string | null | undefined;
  /** What the client says, which may have parameters. */
  readonly declared?: string | null | undefined;
  /** The first bytes, `startBytes` of them or the whole file. */
  readonly start: Uint8Array;
}

/**
 * The media type under which a file is stored, on every way in (§2.1): what the client says, unless that is missing,
 * `application/octet-stream`, or contradicted by the bytes; then what the bytes prove, unless it only contains something else;
 * then what the name says; then `text/plain` for text in any encoding. Text is never a picture, a film or a sound.
 */
export async function mediaTypeOf({ name, declared, start }: SentFile): Promise<string> {
  const seen = await look(start);
  const said = essence(declared ?? '');
  if (declared && said !== unknownType && !isContradicted(said, seen)) return declared;
  const { format, isText } = seen;
  if (format !== undefined && !containers.has(format)) return format;
  const named = name?.includes('.') && lookup(name); // a name without a dot would count as an ending
  if (named && !isContradicted(named, seen)) return named;
  return format ?? (isText || start.length === 0 ? 'text/plain' : unknownType);
}

/** A file that is in the blob store. */
export interface TypedBytes extends StoredBytes {
  readonly mimeType: string;
}

/**
 * Stores bytes, and tells their media type by the first of them.
 * @throws what writing to the blob store does
 */
export async function storeFile(
  blobs: Pick<BlobStore, 'write'>,
  bytes: Bytes,
  known: Omit<SentFile, 'start'>,
): Promise<TypedBytes> {
  const first: Uint8Array[] = [];
  let length = 0;
  async function* seen() {
    for await (const chunk of bytes) {
      // Copied: a part of a network buffer would keep all of it.
      if (length < startBytes) first.push(Uint8Array.from(chunk.subarray(0, startBytes - length)));
      length += chunk.byteLength;
      yield chunk;
    }
  }
  const stored = await blobs.write(seen());
  return { ...stored, mimeType: await mediaTypeOf({ ...known, start: Buffer.concat(first) }) };
}

/** The media type of bytes that are in the blob store already. @throws BlobMissing, BlobStoreAway */
export async function storedMediaType(
  blobs: Pick<BlobStore, 'read'>,
  digest: string,
  known: Omit<SentFile, 'start'>,
): Promise<string> {
  const start = await buffer(await blobs.read(digest, { start: 0, end: startBytes - 1 }));
  return mediaTypeOf({ ...known, start });
}
