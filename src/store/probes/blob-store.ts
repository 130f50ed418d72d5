import type { BlobStore } from '../../blobs/blob-store.ts';
import type { Probe } from './probe.ts';

/** Writes a few bytes to the blob store. @throws Error if this is not possible */
export const writeProbe = async (blobs: Pick<BlobStore, 'write'>): Promise<void> =>
  void (await blobs.write([Buffer.from('probe')]));

/** Tests that a few bytes can be written to the blob store. */
export const blobStoreProbe: Probe = {
  name: 'blobStore',
  run: async ({ services: { blobs } }) => {
    await writeProbe(blobs);
    return { success: true, values: {} };
  },
};
