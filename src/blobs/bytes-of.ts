import type { BlobStore } from './blob-store.ts';

/** The concatenated bytes of blobs. Each blob is opened when the previous one has been read. */
export async function* bytesOf(
  store: Pick<BlobStore, 'read'>,
  digests: readonly string[],
): AsyncGenerator<Buffer> {
  for (const digest of digests) yield* await store.read(digest);
}
