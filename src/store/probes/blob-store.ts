import type { Probe } from './probe.ts';

export const blobStoreProbe: Probe = {
  name: 'blobStore',
  run: async ({ services: { blobs } }) => {
    await blobs.write([Buffer.from('probe')]);
    return { success: true, values: {} };
  },
};
