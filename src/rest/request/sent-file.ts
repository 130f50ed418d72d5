import { parse } from 'content-disposition';
import type { Request } from 'express';
import { Invalid, TooLarge } from '../../errors.ts';
import type { Services } from '../../services.ts';
import { fileName } from '../answer/send-blob.ts';
import { decodeHeaderText } from './fixed-headers.ts';
import { type DeclaredFile, parseMimeType, type SentBlob, storeSent } from './sent-blob.ts';
import type { SentBytes } from './sent-bytes.ts';
import { bodyTooLarge, type Limit, uploadLimitOf } from './upload-limit.ts';

/** An uploaded file, or one chunk of it. */
interface SentFile extends SentBlob {
  /** The index of the chunk, the number of chunks, and the size of the whole file in bytes. */
  readonly chunk?: { readonly index: number; readonly count: number; readonly size: number };
}

/** The headers that describe a file sent as the body, with their descriptions in openapi.json. */
export const bytesHeaders = {
  'X-File-Name': 'The name of the file, percent-encoded.',
  'X-File-Type':
    'The media type. If it is absent, application/octet-stream or contradicts the bytes, it is detected from the bytes and the name.',
} as const;

/** The headers that describe a file or a chunk in an upload batch, with their descriptions in openapi.json. */
export const fileHeaders = {
  ...bytesHeaders,
  'X-File-Size': 'The size of the whole file in bytes; required for files in chunks.',
  'X-Upload-Type': '`normal`, the default, or `chunked`.',
  'X-Upload-Chunk-Index': 'The index of the chunk in the body, from 0.',
  'X-Upload-Chunk-Count': 'The number of chunks of the file.',
} as const;
export type FileHeader = keyof typeof fileHeaders;

const headerOf = (request: Request, name: FileHeader): string | undefined => request.get(name);

/** @throws Invalid if the name is not percent-encoded correctly */
function nameOf(request: Request): string | undefined {
  const name = headerOf(request, 'X-File-Name');
  try {
    return name === undefined ? undefined : fileName(decodeURIComponent(decodeHeaderText(name)));
  } catch (cause) {
    throw new Invalid('X-File-Name is not percent-encoded correctly.', { cause });
  }
}

/**
 * Returns the declared media type; undefined if it is invalid. Existing clients send the string `undefined` if they
 * do not know it.
 */
function declaredType(request: Request): string | undefined {
  const type = headerOf(request, 'X-File-Type');
  try {
    return type && String(parseMimeType(type));
  } catch {
    return undefined;
  }
}

/** @throws Invalid if the header is missing, is not an integer, or has more than `maxDigits` digits */
function numberIn(request: Request, name: FileHeader, maxDigits: number): number {
  const number = headerOf(request, name);
  if (number === undefined) throw new Invalid(`${name} is missing.`);
  if (!/^\d+$/.test(number) || number.length > maxDigits)
    throw new Invalid(`${name} must be an integer; got "${number.slice(0, 80)}".`);
  return Number(number);
}

/** The values that existing clients send if they do not know the size of a file. */
const unknownSizes: ReadonlySet<string | undefined> = new Set([undefined, 'undefined', '-1']);

interface Extent extends Pick<SentFile, 'chunk'> {
  /** The size in bytes; only for a file that is sent in one piece. */
  readonly size?: number | undefined;
}

/**
 * Reads the upload headers of a file or chunk.
 * @throws Invalid if one is invalid
 */
export function sentExtent(request: Request): Extent {
  const type = headerOf(request, 'X-Upload-Type')?.toLowerCase() || 'normal';
  if (type === 'normal') {
    const isUnknown = unknownSizes.has(headerOf(request, 'X-File-Size'));
    return { size: isUnknown ? undefined : numberIn(request, 'X-File-Size', 15) };
  }
  if (type !== 'chunked')
    throw new Invalid(`X-Upload-Type must be normal or chunked; got "${type.slice(0, 80)}".`);
  const index = numberIn(request, 'X-Upload-Chunk-Index', 9);
  const count = numberIn(request, 'X-Upload-Chunk-Count', 9);
  return { chunk: { index, count, size: numberIn(request, 'X-File-Size', 15) } };
}

// Yields the bytes of a body. After an error, the rest of the body is read and discarded, because some clients read
// the response only after they have sent the whole body.
async function* bytesOf(request: Request, limit: Limit, note: SentBytes['note']): AsyncGenerator<Buffer> {
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += (chunk as Buffer).byteLength;
      if (length > limit.bytes) throw bodyTooLarge(limit);
      note(length);
      yield chunk as Buffer;
    }
  } catch (cause) {
    throw cause instanceof TooLarge
      ? cause
      : new Invalid('The connection was closed before the end of the body.', { cause });
  } finally {
    request.resume();
  }
}

type Storing = Pick<Services, 'blobs' | 'config'>;

/**
 * Writes a body to the blob store.
 * @param size the size that the client declared, if any
 */
async function storeBody(
  request: Request,
  { blobs, config }: Storing,
  { note, stored }: SentBytes,
  { size, ...declared }: DeclaredFile & { readonly size?: number | undefined },
): Promise<SentBlob> {
  const limit = uploadLimitOf(request, config.UPLOAD_LIMIT);
  note(Number(request.headers['content-length'] ?? 0));
  const { length, ...blob } = await storeSent(bytesOf(request, limit, note), declared, { blobs, stored });
  if (size !== undefined && size !== length)
    throw new Invalid(`X-File-Size is ${size}, but the body is ${length} bytes long.`);
  return blob;
}

/** The media type that `curl` sends by default. */
const formType = 'application/x-www-form-urlencoded';

/**
 * Stores a body that consists of the bytes of a file (§4.1 `PUT …/@blob`). The file name is in `X-File-Name` or
 * `Content-Disposition`, the media type in `X-File-Type` or `Content-Type`.
 * @throws Invalid, TooLarge, QuotaExceeded, UnsupportedMedia
 */
export async function receiveBytes(request: Request, services: Storing, sent: SentBytes): Promise<SentBlob> {
  const { parameters } = parse(decodeHeaderText(request.get('Content-Disposition') ?? ''));
  const name = nameOf(request) ?? fileName(parameters.filename ?? null);
  const type = request.get('Content-Type');
  const essence = type && parseMimeType(type).essence;
  const mediaType = declaredType(request) ?? (essence === formType ? undefined : type);
  return storeBody(request, services, sent, { file: name, mediaType });
}

/**
 * Stores a file of an upload batch, or a chunk of such a file (§4.7).
 * @throws Invalid, TooLarge, QuotaExceeded, UnsupportedMedia
 */
export async function receiveFile(request: Request, services: Storing, sent: SentBytes): Promise<SentFile> {
  // Bodies with other multipart types are stored as files, because browsers use multipart/related for saved web
  // pages.
  if (request.is('multipart/form-data'))
    throw new Invalid('The body must be the bytes of one file, not a form.');
  uploadLimitOf(request, services.config.UPLOAD_LIMIT);
  const { size, ...extent } = sentExtent(request);
  const isChunk = (extent.chunk?.count ?? 1) > 1;
  const declared = { file: nameOf(request), mediaType: declaredType(request), isChunk };
  return { ...(await storeBody(request, services, sent, { size, ...declared })), ...extent };
}
