import type { Database, Query } from '../db/database.ts';
import { inBatches } from './in-batches.ts';

const query: Query = {
  name: 'forget-uploads',
  text: `
    WITH old AS (
      SELECT id FROM upload_batch WHERE used_at < now() - interval '1 day'
      ORDER BY used_at LIMIT $1::int FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM upload_batch b USING old WHERE b.id = old.id RETURNING 1
    )
    SELECT count(*)::int AS count FROM gone`,
};

/** Deletes the batches (§4.7) into which nothing has come for a day, with their files; answers how many. */
export const forgetUploads = (
  database: Pick<Database, 'query'>,
  isStopping: () => boolean = () => false,
): Promise<number> => inBatches(database, query, [], isStopping);
