import { MIMEType } from 'node:util';
import { parse } from 'content-disposition';
import { extension, lookup } from 'mime-types';
import type { BlobStore } from '../../blobs/blob-store.ts';
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

/** A missing media type (browsers send '') is derived from the file name, a missing name from the type. */
export function blobMetadata(
  file: string | undefined,
  mediaType: string | undefined,
): Pick<SentBlob, 'name' | 'mimeType' | 'encoding'> {
  const type = parseMimeType(mediaType || lookup(file ?? '') || 'application/octet-stream');
  const encoding = type.params.get('charset');
  type.params.delete('charset');
  const mimeType = String(type);
  const end = extension(mimeType);
  return { name: file ?? (end ? `blob.${end}` : 'blob'), mimeType, encoding };
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
  { blobs, stored }: { readonly blobs: BlobStore; readonly stored: SentBytes['stored'] },
): Promise<SentBlob> {
  requirePlainEncoding(part);
  const metadata = blobMetadata(partNames(part, isForm).file, part.headers['content-type']);
  const { digest, length } = await blobs.write(part.bytes);
  stored(length);
  return { digest, ...metadata };
}
