import type { Probe } from './probe.ts';

/** Writes a few bytes to the blob store. */
export const blobStoreProbe: Probe = {
  name: 'blobStore',
  run: async ({ services: { blobs } }) => {
    await blobs.write([Buffer.from('probe')]);
    return { success: true, values: {} };
  },
};
