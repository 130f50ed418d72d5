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
  /** Set with the last missing chunk of an upload: the joined file, and the digests of its chunks. */
  readonly joined?: { readonly digest: string; readonly of: readonly string[] } | undefined;
}

/** What a client says of a file. */
export interface Said {
  readonly file: string | undefined;
  /** Browsers send '' for a media type that they do not know. */
  readonly mediaType: string | undefined;
  /** A chunk of a file, whose media type is told when all chunks are there. */
  readonly isChunk?: boolean;
}

/** Stores a file with its media type; a missing name follows from that. @throws Invalid for a faulty media type */
export async function storeSent(
  bytes: Bytes,
  { file, mediaType, isChunk = false }: Said,
  { blobs, stored }: { readonly blobs: BlobStore; readonly stored: SentBytes['stored'] },
): Promise<SentBlob & { readonly length: number }> {
  const type = parseMimeType(mediaType || unknownType);
  const encoding = type.params.get('charset');
  type.params.delete('charset');
  const declared = String(type);
  const { digest, length, mimeType } = isChunk
    ? { ...(await blobs.write(bytes)), mimeType: declared }
    : await storeFile(blobs, bytes, { name: file, declared });
  stored(length);
  const end = extension(mimeType);
  return { digest, length, name: file ?? (end ? `blob.${end}` : 'blob'), mimeType, encoding };
}

const plainEncodings: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary']);

/** @throws Invalid */
export function parseMimeType(text: string): MIMEType {
  try {
    return new MIMEType(text);
  } catch (cause) {
    throw new Invalid(`Content-Type: "${text.slice(0, 80)}" is no media type`, { cause });
  }
}

export function partNames({ headers }: MultipartPart, isForm: boolean): { name?: string; file?: string } {
  const { parameters } = parse(headers['content-disposition'] ?? '', { multipart: isForm });
  const name = parameters.name ?? headers['content-id']?.replace(/^<|>$/g, '');
  const file = fileName(parameters.filename ?? null);
  return { ...(name !== undefined && { name }), ...(file !== undefined && { file }) };
}

/** @throws Invalid when a part has a transfer encoding, such as base64. */
export function requirePlainEncoding({ headers }: MultipartPart): void {
  const encoding = headers['content-transfer-encoding']?.trim().toLowerCase() ?? 'binary';
  if (!plainEncodings.has(encoding)) {
    throw new Invalid(
      `Content-Transfer-Encoding: "${encoding.slice(0, 80)}" is not taken: send the bytes as they are`,
    );
  }
}

export async function storePart(
  part: MultipartPart,
  isForm: boolean,
  store: { readonly blobs: BlobStore; readonly stored: SentBytes['stored'] },
): Promise<SentBlob> {
  requirePlainEncoding(part);
  const said = { file: partNames(part, isForm).file, mediaType: part.headers['content-type'] };
  const { length: _, ...blob } = await storeSent(part.bytes, said, store);
  return blob;
}
