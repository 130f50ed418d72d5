import { buffer } from 'node:stream/consumers';
import { extension, lookup } from 'mime-types';
import type { BlobStore } from './blob-store.ts';
import type { Bytes, StoredBytes } from './store-bytes.ts';
import { startBytes, textEncodingOf } from './text.ts';

/** The essence of a media type: in lower case, without parameters. */
export const essence = (mimeType: string): string => mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** The media type of files of unknown format. */
export const unknownType = 'application/octet-stream';

/** Formats that contain other formats. The file name then determines the media type. */
const containers: ReadonlySet<string> = new Set([
  'application/zip',
  'application/x-cfb',
  'application/xml',
  'application/gzip',
]);

/**
 * Media types that text never gets, although its name suggests them: `.ts` is also a video, `.org` also an organizer
 * file.
 */
const neverText = /^(image\/(?!svg)|(audio|video|font|model)\/|application\/vnd\.lotus-organizer)/;

const isTextual = (type: string): boolean =>
  /^text\/|[/+](xml|json)$|^application\/(rtf|x-ms-regedit|postscript|eps)$/.test(type);

/** The result of inspecting the first bytes of a file. */
interface Inspection {
  /** The format that the bytes prove, which can be a container. */
  readonly format: string | undefined;
  readonly isText: boolean;
}

async function inspect(start: Uint8Array): Promise<Inspection> {
  if (start.length === 0) return { format: undefined, isText: false };
  // The package is loaded on first use, because most processes never receive a file.
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(start).catch(() => undefined);
  const format = found && essence(found.mime);
  if (format && isTextual(format)) return { format, isText: true };
  // The byte order mark of UTF-16 can also be the beginning of an MP3 file.
  const isText = (!format || neverText.test(format)) && textEncodingOf(start) !== undefined;
  return { format: isText ? undefined : format, isText };
}

const subtypeOf = (type: string): string => type.slice(type.indexOf('/') + 1).replace(/^x-/, '');

/** Whether a format can contain video or only audio: WebM, Ogg and the MP4 family. */
const isVideoOrAudio = (type: string): boolean =>
  /^(audio|video)\/(x-)?(mp4|m4a|m4b|m4v|mpeg4-generic|quicktime|3gpp2?|matroska|webm|ogg|opus|ms-asf|ms-wm[av])$/.test(
    type,
  );

/**
 * Whether the bytes prove that a media type is wrong. Application types without a known extension can have any format.
 */
function isContradicted(type: string, { format, isText }: Inspection): boolean {
  if (format === type) return false;
  if (isText) return neverText.test(type);
  if (format === undefined || subtypeOf(format) === subtypeOf(type)) return false;
  if (containers.has(format)) return /^(text|image|audio|video|font)\//.test(type) && !/svg/.test(type);
  if (isVideoOrAudio(format) && isVideoOrAudio(type)) return false;
  if (format === 'image/tiff') return !type.startsWith('image/'); // raw camera formats are based on TIFF
  return /^(text|image|audio|video|font)\//.test(type) || extension(type) !== false;
}

/** The facts by which the media type of a file is determined. */
export interface SentFile {
  readonly name?: string | null | undefined;
  /** The media type that the client declares, possibly with parameters. */
  readonly declared?: string | null | undefined;
  /** The first `startBytes` bytes of the file, or all of them if it is shorter. */
  readonly start: Uint8Array;
}

/**
 * Determines the media type with which a file is stored, for every way of sending files (§2.1). It is the first of:
 * 1. the declared type, unless it is missing, `application/octet-stream` or contradicted by the bytes;
 * 2. the format that the bytes prove, unless that is only a container;
 * 3. the type of the name's extension, unless the bytes contradict it;
 * 4. the container format, `text/plain` for text in any encoding, or `application/octet-stream`.
 */
export async function mediaTypeOf({ name, declared, start }: SentFile): Promise<string> {
  const inspection = await inspect(start);
  const declaredType = essence(declared ?? '');
  if (declared && declaredType !== unknownType && !isContradicted(declaredType, inspection)) return declared;
  const { format, isText } = inspection;
  if (format !== undefined && !containers.has(format)) return format;
  const named = name?.includes('.') && lookup(name); // `lookup` takes a name without a dot for an extension
  if (named && !isContradicted(named, inspection)) return named;
  return format ?? (isText || start.length === 0 ? 'text/plain' : unknownType);
}

/** A file in the blob store with its media type. */
export interface TypedBytes extends StoredBytes {
  readonly mimeType: string;
}

/**
 * Stores a file and determines its media type.
 * @throws InsufficientStorage, BlobStoreAway
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
      // The bytes are copied, because a slice would keep the whole network buffer in memory.
      if (length < startBytes) first.push(Uint8Array.from(chunk.subarray(0, startBytes - length)));
      length += chunk.byteLength;
      yield chunk;
    }
  }
  const stored = await blobs.write(seen());
  return { ...stored, mimeType: await mediaTypeOf({ ...known, start: Buffer.concat(first) }) };
}

/** Determines the media type of a file that is already in the blob store. @throws BlobMissing, BlobStoreAway */
export async function storedMediaType(
  blobs: Pick<BlobStore, 'read'>,
  digest: string,
  known: Omit<SentFile, 'start'>,
): Promise<string> {
  const start = await buffer(await blobs.read(digest, { start: 0, end: startBytes - 1 }));
  return mediaTypeOf({ ...known, start });
}
