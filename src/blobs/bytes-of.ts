import type { BlobStore } from './blob-store.ts';

/** The bytes of blobs, one after the other, each opened when the one before has been read. */
export async function* bytesOf(
  store: Pick<BlobStore, 'read'>,
  digests: readonly string[],
): AsyncGenerator<Buffer> {
  for (const digest of digests) yield* await store.read(digest);
}
