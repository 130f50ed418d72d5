import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { create as contentDisposition } from 'content-disposition';
import type { Response } from 'express';
import type { BlobStore } from '../blobs/blob-store.ts';
import { type Bytes, contentTypeOf, fileName } from './bytes.ts';

async function* write(
  blobs: readonly Bytes[],
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
    else yield* createReadStream(store.file(blob.digest));
    yield '\r\n';
  }
  yield `--${boundary}--\r\n`;
}

/** Whether the caller is gone: nothing is wrong then. */
const isGone = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** Streams blobs, one after the other, as `multipart/mixed` (RFC 2046); resolves when the last one is sent. */
export async function sendParts(
  response: Response,
  blobs: readonly Bytes[],
  store: BlobStore,
): Promise<void> {
  const boundary = `quire-${randomUUID()}`;
  response.setHeader('Content-Type', `multipart/mixed; boundary="${boundary}"`);
  response.setHeader('Cache-Control', 'private, no-cache, no-transform');
  // No stream of its own: `pipe` would listen to the response so often that Node takes it for a leak.
  await pipeline(write(blobs, boundary, store), response).catch((error: unknown) => {
    if (!isGone(error)) throw error;
  });
}
