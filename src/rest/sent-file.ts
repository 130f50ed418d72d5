import type { Request } from 'express';
import type { BlobStore } from '../blobs/blob-store.ts';
import { Invalid, TooLarge } from '../errors.ts';
import { fileName } from './bytes.ts';
import { decoded } from './fixed-headers.ts';
import { describe, type SentBlob, typeOf } from './sent-blob.ts';
import { beyond, type Limit, uploadLimitOf } from './upload-limit.ts';

/** A file, or a chunk of one, that a body was. */
export interface SentFile extends SentBlob {
  /** Which chunk it is, of how many, and how many bytes they all are. */
  readonly chunk?: { readonly index: number; readonly count: number; readonly size: number };
}

/** The headers that say what a body is, with what they mean. */
export const fileHeaders = {
  'X-File-Name': 'The name of the file, percent-encoded.',
  'X-File-Type': 'Its media type; told by its name when absent.',
  'X-File-Size': 'How many bytes the file has; needed when it comes in chunks.',
  'X-Upload-Type': '`normal`, the default, or `chunked`.',
  'X-Upload-Chunk-Index': 'Which chunk of the file the body is, counted from 0.',
  'X-Upload-Chunk-Count': 'How many chunks there are.',
} as const;
type FileHeader = keyof typeof fileHeaders;

const given = (request: Request, name: FileHeader): string | undefined => request.get(name);

/** @throws Invalid */
function nameOf(request: Request): string | undefined {
  const name = given(request, 'X-File-Name');
  try {
    return name === undefined ? undefined : fileName(decodeURIComponent(decoded(name)));
  } catch (cause) {
    throw new Invalid('X-File-Name: is not percent-encoded correctly', { cause });
  }
}

/** The type that is said; existing clients write `undefined` for one that they do not know. */
function saidType(request: Request): string | undefined {
  const type = given(request, 'X-File-Type');
  try {
    return type && String(typeOf(type));
  } catch {
    return undefined;
  }
}

/** A number of so many digits at most. @throws Invalid */
function numberIn(request: Request, name: FileHeader, digits: number): number {
  const number = given(request, name);
  if (number === undefined) throw new Invalid(`${name}: is missing`);
  if (!/^\d+$/.test(number) || number.length > digits)
    throw new Invalid(`${name}: "${number.slice(0, 80)}" is no whole number`);
  return Number(number);
}

/** @throws Invalid */
function chunkOf(request: Request): Pick<SentFile, 'chunk'> {
  const type = given(request, 'X-Upload-Type')?.toLowerCase() || 'normal';
  if (type === 'normal') return {};
  if (type !== 'chunked')
    throw new Invalid(`X-Upload-Type: "${type.slice(0, 80)}" is neither normal nor chunked`);
  const index = numberIn(request, 'X-Upload-Chunk-Index', 9);
  const count = numberIn(request, 'X-Upload-Chunk-Count', 9);
  return { chunk: { index, count, size: numberIn(request, 'X-File-Size', 15) } };
}

/** The bytes of a body as they come. Whoever fails has the rest thrown away: the answer may be waited for until all is sent. */
async function* bytesOf(request: Request, limit: Limit): AsyncGenerator<Buffer> {
  let length = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      length += (chunk as Buffer).byteLength;
      if (length > limit.bytes) throw beyond(limit);
      yield chunk as Buffer;
    }
  } catch (cause) {
    throw cause instanceof TooLarge ? cause : new Invalid('the body broke off', { cause });
  } finally {
    request.resume();
  }
}

/**
 * §4.7: keeps a body that is the bytes of a file, or of a chunk of one; the headers say what it is.
 * @throws Invalid, TooLarge, UnsupportedMedia
 */
export async function receiveFile(
  request: Request,
  { blobs, uploadLimit }: { readonly blobs: BlobStore; readonly uploadLimit: number },
): Promise<SentFile> {
  if (request.is('multipart/*')) throw new Invalid('the body must be the bytes of one file, without parts');
  const limit = uploadLimitOf(request, uploadLimit);
  const said = { ...describe(nameOf(request), saidType(request)), ...chunkOf(request) };
  const { digest } = await blobs.write(bytesOf(request, limit));
  return { digest, ...said };
}
