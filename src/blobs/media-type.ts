import { buffer } from 'node:stream/consumers';
import { extension, lookup } from 'mime-types';
import type { BlobStore } from './blob-store.ts';
import type { Bytes, StoredBytes } from './store-bytes.ts';
import { startBytes, textEncodingOf } from './text.ts';

/** Returns the essence of a media type: the type in lower case, without parameters. */
export const essence = (mimeType: string): string => mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** The media type of files of unknown format. */
export const unknownType = 'application/octet-stream';

/** Container formats. If a file has one of these formats, its name determines the media type. */
const containers: ReadonlySet<string> = new Set([
  'application/zip',
  'application/x-cfb',
  'application/xml',
  'application/gzip',
]);

/**
 * Media types that are never assigned to text, even if the file name suggests them. For example, `.ts` can be
 * TypeScript or a video, and `.org` can be Org mode or a Lotus Organizer file.
 */
const neverText = /^(image\/(?!svg)|(audio|video|font|model)\/|application\/vnd\.lotus-organizer)/;

const isTextual = (type: string): boolean =>
  /^text\/|[/+](xml|json)$|^application\/(rtf|x-ms-regedit|postscript|eps)$/.test(type);

/** The result of inspecting the first bytes of a file. */
interface Inspection {
  /** The format that the bytes identify, which can be a container format. */
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
  // An MP3 file can begin with the same bytes as the byte order mark of UTF-16.
  const isText = (!format || neverText.test(format)) && textEncodingOf(start) !== undefined;
  return { format: isText ? undefined : format, isText };
}

const subtypeOf = (type: string): string => type.slice(type.indexOf('/') + 1).replace(/^x-/, '');

/** Whether a format can contain video or audio: WebM, Ogg and the MP4 family. */
const isVideoOrAudio = (type: string): boolean =>
  /^(audio|video)\/(x-)?(mp4|m4a|m4b|m4v|mpeg4-generic|quicktime|3gpp2?|matroska|webm|ogg|opus|ms-asf|ms-wm[av])$/.test(
    type,
  );

/**
 * Whether the bytes prove that a media type is wrong. An `application/*` type without a known extension can have any
 * format.
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

/** The information from which the media type of a file is determined. */
export interface SentFile {
  readonly name?: string | null | undefined;
  /** The media type that the client declares, possibly with parameters. */
  readonly declared?: string | null | undefined;
  /** The encoding that the client declares, for example in the parameter `charset` of the media type. */
  readonly encoding?: string | null | undefined;
  /** The first `startBytes` bytes of the file, or the whole file if it is shorter. */
  readonly start: Uint8Array;
}

/**
 * Determines the media type to store with a file, regardless of how it was sent (§2.1). The first of these applies:
 * 1. the declared type, unless it is missing, is `application/octet-stream` or is contradicted by the bytes;
 * 2. the format that the bytes identify, unless it is only a container format;
 * 3. the type for the extension of the file name, unless the bytes contradict it;
 * 4. the container format, `text/plain` for text in any encoding, or `application/octet-stream`.
 */
export const mediaTypeOf = async (file: SentFile): Promise<string> => typeBy(file, await inspect(file.start));

function typeBy({ name, declared, start }: SentFile, inspection: Inspection): string {
  const declaredType = essence(declared ?? '');
  if (declared && declaredType !== unknownType && !isContradicted(declaredType, inspection)) return declared;
  const { format, isText } = inspection;
  if (format !== undefined && !containers.has(format)) return format;
  // `lookup` would treat a name without a dot as an extension.
  const named = name?.includes('.') && lookup(name);
  if (named && !isContradicted(named, inspection)) return named;
  return format ?? (isText || start.length === 0 ? 'text/plain' : unknownType);
}

/** The media type of a file, and the encoding of its text. */
interface FileType {
  readonly mimeType: string;
  /**
   * The declared encoding or, if there is none, the detected one. Null for files that are not text, and for ASCII text,
   * whose bytes are the same in most encodings.
   */
  readonly encoding: string | null;
}

const isAscii = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte < 0x80 && byte !== 0 && byte !== 27);

/** Determines the encoding to store with a file (§2.1). */
function encodingBy({ encoding: declared = null, start }: SentFile, { isText }: Inspection): string | null {
  if (declared !== null || !isText || isAscii(start)) return declared;
  const found = textEncodingOf(start) ?? null;
  return found === null || found.startsWith('windows-') ? found : found.toUpperCase();
}

async function fileType(file: SentFile): Promise<FileType> {
  const inspection = await inspect(file.start);
  return { mimeType: typeBy(file, inspection), encoding: encodingBy(file, inspection) };
}

export interface TypedBytes extends StoredBytes, FileType {}

/**
 * Stores a file and determines its media type and encoding.
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
      // The bytes are copied, because a slice would keep the entire network buffer in memory.
      if (length < startBytes) first.push(Uint8Array.from(chunk.subarray(0, startBytes - length)));
      length += chunk.byteLength;
      yield chunk;
    }
  }
  const stored = await blobs.write(seen());
  return { ...stored, ...(await fileType({ ...known, start: Buffer.concat(first) })) };
}

/** Determines the type of a file that is already in the blob store. @throws BlobMissing, BlobStoreAway */
export async function storedFileType(
  blobs: Pick<BlobStore, 'read'>,
  digest: string,
  known: Omit<SentFile, 'start'>,
): Promise<FileType> {
  const start = await buffer(await blobs.read(digest, { start: 0, end: startBytes - 1 }));
  return fileType({ ...known, start });
}
