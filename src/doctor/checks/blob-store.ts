import { writeProbe } from '../../store/probes/blob-store.ts';
import { foundIf, type HealthCheck } from '../check.ts';

/** Opens the blob store and writes a few bytes to it. */
export const blobStoreCheck: HealthCheck = {
  name: 'blob-store',
  opens: {
    blobs: {
      reason: 'Files can be neither stored nor read, and the server does not start.',
      remedy: 'Correct BLOB_STORE or DATA_DIR, or the permissions of the folder or bucket.',
    },
  },
  run: async ({ blobs }) => {
    const fault = await writeProbe(await blobs()).then(
      () => undefined,
      (error: Error) => error.message,
    );
    return foundIf(
      fault !== undefined && {
        level: 'fault',
        problem: `Files cannot be written: ${fault}`,
        reason: 'Every upload fails.',
        remedy: 'Check the disk or the bucket, and its permissions.',
      },
    );
  },
};
