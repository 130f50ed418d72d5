import type { BlobStore } from '../blobs/blob-store.ts';
import type { Database } from '../db/database.ts';

const day = 86_400_000;

/** Deletes the files of the blob store that no document refers to and that are a day old; answers how many. */
export function sweep(database: Database, blobs: BlobStore, grace = day): Promise<number> {
  return blobs.sweep(async (digests) => {
    const where = { digest: { in: digests } };
    const rows = await database.prisma.documentBlob.findMany({
      where,
      select: { digest: true },
      distinct: 'digest',
    });
    return new Set(rows.map(({ digest }) => digest));
  }, grace);
}

interface Schedule {
  readonly onSwept: (gone: number) => void;
  readonly onError: (error: unknown) => void;
}

/** Sweeps once now and then every day, until stopped. */
export function startSweeping(
  database: Database,
  blobs: BlobStore,
  { onSwept, onError }: Schedule,
): () => void {
  const run = () => {
    sweep(database, blobs).then(onSwept, onError);
  };
  run();
  const timer = setInterval(run, day);
  timer.unref();
  return () => clearInterval(timer);
}
