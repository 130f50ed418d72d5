import type { Probe } from './probe.ts';

/** Tests that a few bytes can be written to the blob store. */
export const blobStoreProbe: Probe = {
  name: 'blobStore',
  run: async ({ services: { blobs } }) => {
    await blobs.write([Buffer.from('probe')]);
    return { success: true, values: {} };
  },
};
