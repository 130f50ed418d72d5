import type { BlobWithDocument } from '../../loaders/blobs/blob-with-document.ts';
import type { Context } from '../../loaders/context.ts';
import type { StoredBlob } from '../../model/values/stored.ts';

/**
 * Returns a blob whose bytes are in the blob store. If the blob is the text of a note, the text is written to the
 * store, where it remains until a sweep deletes unused blobs.
 */
export async function storedBlob(
  { services: { blobs } }: Context,
  blob: BlobWithDocument,
): Promise<StoredBlob> {
  const { name, mimeType, encoding, digest, length, text } = blob;
  if (text !== undefined) await blobs.write([Buffer.from(text, 'utf8')]);
  else await blobs.renew(digest);
  return { name, mimeType, encoding, digest, length };
}
