import { randomUUID } from 'node:crypto';
import { create as contentDisposition } from 'content-disposition';
import type { Response } from 'express';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { contentTypeOf, fileName, type ServedBlob } from './send-blob.ts';
import { sendParts } from './send-parts.ts';

async function* write(
  blobs: readonly ServedBlob[],
  boundary: string,
  store: BlobStore,
): AsyncGenerator<string | Buffer> {
  for (const blob of blobs) {
    yield [
      `--${boundary}`,
      `Content-Type: ${contentTypeOf(blob)}`,
      `Content-Length: ${blob.length}`,
      `Content-Disposition: ${contentDisposition(fileName(blob.name))}`,
      '\r\n',
    ].join('\r\n');
    if (blob.text !== null) yield blob.text;
    else yield* await store.read(blob.digest);
    yield '\r\n';
  }
  yield `--${boundary}--\r\n`;
}

/** Streams blobs as `multipart/mixed` (RFC 2046). Resolves when the last blob has been sent. */
export async function sendMultipart(
  response: Response,
  blobs: readonly ServedBlob[],
  store: BlobStore,
): Promise<void> {
  const boundary = `quire-${randomUUID()}`;
  response.setHeader('Content-Type', `multipart/mixed; boundary="${boundary}"`);
  response.setHeader('Cache-Control', 'private, no-cache, no-transform');
  // One generator writes all files. With a separate `pipe` for each file, Node would warn about a listener leak.
  await sendParts(response, write(blobs, boundary, store));
}
