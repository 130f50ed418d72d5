import type { BlobStore } from '../blobs/blob-store.ts';
import type { Database } from '../db/database.ts';
import { Unavailable } from '../errors.ts';

const day = 86_400_000;

/** Deletes the files of the blob store that no document refers to and that are a day old; answers how many. */
export function sweep(
  database: Database,
  blobs: BlobStore,
  grace = day,
  isStopping = () => false,
): Promise<number> {
  return blobs.sweep(async (digests) => {
    if (isStopping()) throw new Unavailable('the server is stopping');
    const where = { digest: { in: digests } };
    const rows = await database.prisma.documentBlob.findMany({
      where,
      select: { digest: true },
      distinct: 'digest',
    });
    return new Set(rows.map(({ digest }) => digest));
  }, grace);
}
