import { statement } from '../../db/statement.ts';
import { batchUuidOf, fileIndex } from '../../loaders/uploads/uploads.ts';
import type { Scope } from '../../scope.ts';
import { noBatch, type UploadSlot } from '../uploads/uploads.ts';
import { lockUploads } from './advisory-locks.ts';

// Setting `used_at` locks the batch, because every write to one of its files sets this column.
const lockQuery = statement('lock-upload', { others: 'int4' })`
  WITH quota AS MATERIALIZED (SELECT ${lockUploads('$2::text')} AS locked)
  UPDATE upload_batch SET used_at = now() FROM quota WHERE id = $1 AND user_id = $2
  RETURNING (SELECT count(*)::int FROM upload_file f WHERE f.batch_id = $1 AND f.index <> $3) AS others`;

/**
 * Locks an upload batch and the caller's upload quota, before a file in the batch is written or deleted.
 * @returns the id of the batch, the index of the file and the number of other files
 * @throws Invalid if `file` is not an index; NotFound if there is no such batch
 */
export async function lockUpload(
  { db, user }: Scope,
  { batchId, file }: UploadSlot,
): Promise<{ uuid: string; index: number; others: number }> {
  const index = fileIndex(file);
  const uuid = batchUuidOf(batchId);
  const [batch] = uuid ? await db.query(lockQuery, [uuid, user.id, index]) : [];
  if (!uuid || !batch) throw noBatch(batchId);
  return { uuid, index, ...batch };
}
