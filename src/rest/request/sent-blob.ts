import { MIMEType } from 'node:util';
import { parse } from 'content-disposition';
import { extension } from 'mime-types';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { storeFile, unknownType } from '../../blobs/media-type.ts';
import type { Bytes } from '../../blobs/store-bytes.ts';
import { Invalid } from '../../errors.ts';
import { fileName } from '../answer/send-blob.ts';
import type { MultipartPart } from './multipart.ts';
import type { SentBytes } from './sent-bytes.ts';

export interface SentBlob {
  readonly digest: string;
  readonly name: string;
  readonly mimeType: string;
  readonly encoding: string | null;
  /**
   * Set when the last missing chunk of an upload has arrived: the digest of the joined file and the digests of its
   * chunks.
   */
  readonly joined?: { readonly digest: string; readonly of: readonly string[] } | undefined;
}

/** The file name and media type according to the client. */
export interface DeclaredFile {
  readonly file: string | undefined;
  /** Empty if the browser does not know the media type. */
  readonly mediaType: string | undefined;
  /** Whether this is a chunk. The media type of a chunked file is detected once the file is complete. */
  readonly isChunk?: boolean;
}

/**
 * Stores a file and detects its media type. A file without a name is named after its type.
 * @throws Invalid if the declared media type is invalid
 */
export async function storeSent(
  bytes: Bytes,
  { file, mediaType, isChunk = false }: DeclaredFile,
  { blobs, stored }: { readonly blobs: BlobStore; readonly stored: SentBytes['stored'] },
): Promise<SentBlob & { readonly length: number }> {
  const type = parseMimeType(mediaType || unknownType);
  const charset = type.params.get('charset');
  type.params.delete('charset');
  const declared = String(type);
  const { digest, length, mimeType, encoding } = isChunk
    ? { ...(await blobs.write(bytes)), mimeType: declared, encoding: charset }
    : await storeFile(blobs, bytes, { name: file, declared, encoding: charset });
  stored(length);
  const end = extension(mimeType);
  return { digest, length, name: file ?? (end ? `blob.${end}` : 'blob'), mimeType, encoding };
}

const plainEncodings: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary']);

/** @throws Invalid if the text is not a media type */
export function parseMimeType(text: string): MIMEType {
  try {
    return new MIMEType(text);
  } catch (cause) {
    throw new Invalid(`Content-Type: "${text.slice(0, 80)}" is not a media type.`, { cause });
  }
}

export function partNames({ headers }: MultipartPart, isForm: boolean): { name?: string; file?: string } {
  const { parameters } = parse(headers['content-disposition'] ?? '', { multipart: isForm });
  const name = parameters.name ?? headers['content-id']?.replace(/^<|>$/g, '');
  const file = fileName(parameters.filename ?? null);
  return { ...(name !== undefined && { name }), ...(file !== undefined && { file }) };
}

/** @throws Invalid if a part has a transfer encoding such as base64 */
export function requirePlainEncoding({ headers }: MultipartPart): void {
  const encoding = headers['content-transfer-encoding']?.trim().toLowerCase() ?? 'binary';
  if (!plainEncodings.has(encoding)) {
    throw new Invalid(
      `Content-Transfer-Encoding: "${encoding.slice(0, 80)}" is not supported. Send the bytes unencoded.`,
    );
  }
}

export async function storePart(
  part: MultipartPart,
  isForm: boolean,
  store: { readonly blobs: BlobStore; readonly stored: SentBytes['stored'] },
): Promise<SentBlob> {
  requirePlainEncoding(part);
  const declaredFile = { file: partNames(part, isForm).file, mediaType: part.headers['content-type'] };
  const { length: _, ...blob } = await storeSent(part.bytes, declaredFile, store);
  return blob;
}
