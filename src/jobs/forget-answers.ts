import type { Database, Query } from '../db/database.ts';
import { inBatches } from './in-batches.ts';

const query: Query = {
  name: 'forget-answers',
  text: `
    WITH old AS (
      SELECT repository, user_id, key FROM kept_answer WHERE created_at < now() - interval '1 day'
      ORDER BY created_at LIMIT $1::int FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM kept_answer k USING old
      WHERE k.repository = old.repository AND k.user_id = old.user_id AND k.key = old.key RETURNING 1
    )
    SELECT count(*)::int AS count FROM gone`,
};

/** Deletes the answers that were kept for an `Idempotency-Key` (§9), or of an execution (§4.7), a day ago; answers how many. */
export const forgetAnswers = (
  database: Pick<Database, 'query'>,
  isStopping: () => boolean = () => false,
): Promise<number> => inBatches(database, query, [], isStopping);
