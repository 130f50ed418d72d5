import type { BlobStore } from './blob-store.ts';

/** Yields the bytes of several blobs in sequence. Each blob is opened only after the previous one has been read. */
export async function* bytesOf(
  store: Pick<BlobStore, 'read'>,
  digests: readonly string[],
): AsyncGenerator<Buffer> {
  for (const digest of digests) yield* await store.read(digest);
}
