import type { BlobStore } from '../blobs/blob-store.ts';
import type { Database, Query } from '../db/database.ts';
import { Unavailable } from '../errors.ts';

const day = 86_400_000;

/** One row for each digest, however many documents and uploads hold the same bytes. */
const query: Query = {
  name: 'referenced-blobs',
  text: `
    SELECT wanted.digest FROM unnest($1::text[]) AS wanted (digest)
    WHERE EXISTS (SELECT FROM document_blob b WHERE b.digest = wanted.digest)
      OR EXISTS (SELECT FROM upload_file f WHERE f.digest = wanted.digest)
      OR EXISTS (SELECT FROM upload_chunk c WHERE c.digest = wanted.digest)`,
};

/** Deletes the files of the blob store that neither a document nor an upload refers to and that are a day old; answers how many. */
export function sweep(
  database: Pick<Database, 'query'>,
  blobs: Pick<BlobStore, 'sweep'>,
  grace = day,
  isStopping = () => false,
): Promise<number> {
  return blobs.sweep(async (digests) => {
    if (isStopping()) throw new Unavailable('the server is stopping');
    const rows = await database.query<{ digest: string }>(query, [digests]);
    return new Set(rows.map(({ digest }) => digest));
  }, grace);
}
