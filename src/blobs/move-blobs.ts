import pMap from 'p-map';
import type { BlobStore } from './blob-store.ts';
import { BlobMissing, DamagedBlob } from './faults.ts';

const atOnce = 4;

interface Moved {
  readonly blobs: number;
  readonly bytes: number;
  /** The digests of damaged blobs, which are not moved. */
  readonly damaged: readonly string[];
}

interface MoveOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (moved: Pick<Moved, 'blobs' | 'bytes'>) => void;
}

/** Moves a blob. @returns its length; undefined if it has been deleted since it was listed. */
async function move(
  from: BlobStore,
  to: BlobStore,
  digest: string,
): Promise<{ length: number } | 'damaged' | undefined> {
  try {
    const { length } = await to.write(await from.read(digest), digest);
    await from.remove(digest);
    return { length };
  } catch (error) {
    if (error instanceof DamagedBlob) return 'damaged';
    if (error instanceof BlobMissing) return undefined;
    throw error;
  }
}

/**
 * Moves all blobs from one store to another. Servers that read from both stores can keep running. If it is interrupted,
 * the next run moves the remaining blobs.
 */
export async function moveBlobs(
  from: BlobStore,
  to: BlobStore,
  { signal, onProgress }: MoveOptions,
): Promise<Moved> {
  const damaged: string[] = [];
  let [blobs, bytes] = [0, 0];
  const one = async (digest: string): Promise<void> => {
    if (signal.aborted) return;
    const moved = await move(from, to, digest);
    if (moved === 'damaged') damaged.push(digest);
    else if (moved) {
      blobs += 1;
      bytes += moved.length;
      onProgress({ blobs, bytes });
    }
  };
  for await (const digests of from.list()) {
    if (signal.aborted) break;
    await pMap(digests, one, { concurrency: atOnce });
  }
  return { blobs, bytes, damaged };
}
