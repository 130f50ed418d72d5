import { basename, dirname } from 'node:path';
import { create as contentDisposition } from 'content-disposition';
import type { Request, Response } from 'express';
import send from 'send';
import type { BlobStore } from '../blobs/blob-store.ts';

/** A blob as it was asked of the schema. */
export interface Bytes {
  readonly name: string | null;
  readonly mimeType: string;
  readonly encoding: string | null;
  readonly digest: string;
  /** The bytes themselves when they are not in the blob store. */
  readonly text: string | null;
}

function describe(request: Request, response: Response, { name, mimeType, encoding, digest }: Bytes): void {
  const type = request.query.inline === 'true' ? 'inline' : 'attachment';
  const charset =
    encoding && /^text\//.test(mimeType) && !mimeType.includes('charset') ? `; charset=${encoding}` : '';
  response.set({
    ETag: `"${digest}"`,
    'Content-Type': `${mimeType}${charset}`,
    'Content-Disposition': contentDisposition(name ?? undefined, { type }),
    'Cache-Control': 'private, no-cache',
    // What users upload is never a page of ours, whatever it says it is.
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'",
  });
}

/** Streams a blob's bytes: ranges and conditions included; resolves when the last one is sent. */
export function sendBytes(
  request: Request,
  response: Response,
  bytes: Bytes,
  store: BlobStore,
): Promise<void> {
  describe(request, response, bytes);
  if (bytes.text !== null) {
    if (request.fresh) response.status(304).end();
    else response.end(Buffer.from(bytes.text, 'utf8'));
    return Promise.resolve();
  }
  const file = store.file(bytes.digest);
  return new Promise((resolve, reject) => {
    response.once('close', resolve);
    send(request, basename(file), {
      root: dirname(file),
      etag: false,
      lastModified: false,
      cacheControl: false,
    })
      .on('error', reject)
      .pipe(response);
  });
}
