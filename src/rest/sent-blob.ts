import { MIMEType } from 'node:util';
import { parse } from 'content-disposition';
import { extension, lookup } from 'mime-types';
import type { BlobStore } from '../blobs/blob-store.ts';
import { Invalid } from '../errors.ts';
import { fileName } from './bytes.ts';
import type { Part } from './multipart.ts';

/** A blob that came with a request, and now is in the blob store. */
export interface SentBlob {
  readonly digest: string;
  readonly name: string;
  readonly mimeType: string;
  readonly encoding: string | null;
  /** Of the last chunk of a file that was missing: the file, and the chunks that it is made of. */
  readonly joined?: { readonly digest: string; readonly of: readonly string[] } | undefined;
}

/** What is said of a blob: a type that is not said is told by the name, and the other way round. */
export function describe(
  file: string | undefined,
  said: string | undefined,
): Pick<SentBlob, 'name' | 'mimeType' | 'encoding'> {
  const type = typeOf(said ?? (lookup(file ?? '') || 'application/octet-stream'));
  const encoding = type.params.get('charset');
  type.params.delete('charset');
  const mimeType = String(type);
  const end = extension(mimeType);
  return { name: file ?? (end ? `blob.${end}` : 'blob'), mimeType, encoding };
}

/** How the bytes of a part may be written: as they are. */
const plain: ReadonlySet<string> = new Set(['7bit', '8bit', 'binary']);

/** @throws Invalid when it cannot be read. */
export function typeOf(text: string): MIMEType {
  try {
    return new MIMEType(text);
  } catch (cause) {
    throw new Invalid(`Content-Type: "${text.slice(0, 80)}" is none`, { cause });
  }
}

/** What a part is called, as a field of a form or by its `Content-ID`; and the file that it is of. */
export function namesOf({ headers }: Part, isForm: boolean): { name?: string; file?: string } {
  const { parameters } = parse(headers['content-disposition'] ?? '', { multipart: isForm });
  const name = parameters.name ?? headers['content-id']?.replace(/^<|>$/g, '');
  const file = fileName(parameters.filename ?? null);
  return { ...(name !== undefined && { name }), ...(file !== undefined && { file }) };
}

/** @throws Invalid when the bytes of a part are not sent as they are. */
export function requirePlain({ headers }: Part): void {
  const encoding = headers['content-transfer-encoding']?.trim().toLowerCase() ?? 'binary';
  if (!plain.has(encoding)) {
    throw new Invalid(
      `Content-Transfer-Encoding: "${encoding.slice(0, 80)}" is not taken: send the bytes as they are`,
    );
  }
}

/** Keeps the bytes of a part, as they come. */
export async function keepPart(part: Part, isForm: boolean, blobs: BlobStore): Promise<SentBlob> {
  requirePlain(part);
  const said = describe(namesOf(part, isForm).file, part.headers['content-type']);
  const { digest } = await blobs.write(part.bytes);
  return { digest, ...said };
}
