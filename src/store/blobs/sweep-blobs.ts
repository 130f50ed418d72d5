import type { BlobStore } from '../../blobs/blob-store.ts';
import type { Database } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { Unavailable } from '../../errors.ts';
import { referringTables } from './referenced-digests.ts';

const day = 86_400_000;

/** Returns the given digests that are in use, each exactly once, regardless of the number of rows that refer to it. */
const query = statement('referenced-blobs', { digest: 'text' })`
  SELECT input.digest FROM unnest($1::text[]) AS input (digest)
  WHERE ${referringTables.map((table) => `EXISTS (SELECT FROM ${table} r WHERE r.digest = input.digest)`).join(' OR ')}`;

/** Filters digests: returns the ones that at least one row refers to. */
export async function referencedAmong(
  { query: send }: Pick<Database, 'query'>,
  digests: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await send<{ digest: string }>(query, [digests]);
  return new Set(rows.map(({ digest }) => digest));
}

/**
 * Deletes the files in the blob store that no row refers to.
 * @param grace the minimum age, in milliseconds, of a file to be deleted; a younger file may belong to a transaction
 * that is not committed yet
 * @returns the number of deleted files
 * @throws Unavailable once the server is stopping
 */
export function sweepBlobs(
  database: Pick<Database, 'query'>,
  blobs: Pick<BlobStore, 'sweep'>,
  grace = day,
  isStopping = () => false,
): Promise<number> {
  return blobs.sweep(async (digests) => {
    if (isStopping()) throw new Unavailable('The server is stopping.');
    return referencedAmong(database, digests);
  }, grace);
}
