import { statement } from '../../db/statement.ts';
import { QuotaExceeded } from '../../errors.ts';
import { batchUuidOf, fileIndex } from '../../loaders/uploads/uploads.ts';
import type { Scope, Using } from '../../scope.ts';
import { noBatch, type UploadSlot } from './uploads.ts';

// `upload_batch.bytes` is the total number of bytes received for a batch. Without this column, each upload of a chunk
// would have to add up the sizes of thousands of earlier chunks.

/** SQL for the number of bytes received for a file `f`. */
const bytesOfFile = `
  CASE WHEN f.chunk_count IS NULL THEN f.size ELSE (
    SELECT coalesce(sum(c.length), 0) FROM upload_chunk c WHERE c.batch_id = f.batch_id AND c.file_index = f.index
  ) END`;

/** SQL for the number of bytes received for a chunk of a file `f`. */
const bytesOfChunk = (index: string): string => `(
  SELECT c.length FROM upload_chunk c
  WHERE c.batch_id = f.batch_id AND c.file_index = f.index AND c.index = ${index}
)`;

/** SQL for the total number of bytes in all upload batches of a user. */
const usedBy = (user: string): string =>
  `(SELECT coalesce(sum(o.bytes), 0)::float8 FROM upload_batch o WHERE o.user_id = ${user})`;

const roomQuery = statement('upload-room', { used: 'float8', replaced: 'float8' })`
  SELECT ${usedBy('$2')} AS used,
    coalesce(CASE WHEN $4::int IS NULL THEN ${bytesOfFile} ELSE ${bytesOfChunk('$4')} END, 0)::float8 AS replaced
  FROM upload_batch b LEFT JOIN upload_file f ON f.batch_id = b.id AND f.index = $3::int
  WHERE b.id = $1 AND b.user_id = $2`;

/**
 * Returns the number of bytes that the caller can currently send as a file or chunk.
 * @throws NotFound if there is no such batch; Invalid
 */
export async function uploadRoom(
  { db, user, services }: Pick<Scope, 'db' | 'user'> & Using<'config'>,
  { batchId, file }: UploadSlot,
  chunk: number | null,
): Promise<number> {
  const uuid = batchUuidOf(batchId);
  const values = [uuid, user.id, fileIndex(file), chunk];
  const [found] = uuid ? await db.query(roomQuery, values) : [];
  if (!found) throw noBatch(batchId);
  return Math.max(0, services.config.UPLOAD_QUOTA - found.used + found.replaced);
}

// Adds the number of bytes in a file or chunk to the total of its batch, minus the number of bytes that it replaces. A
// file that was divided into chunks differently is replaced as a whole.
const countQuery = statement('count-upload', { more: 'float8', used: 'float8' })`
  WITH change AS (
    SELECT $6::bigint - coalesce((
      SELECT CASE
        WHEN f.chunk_count = $4::int AND f.size = $5::bigint THEN coalesce(${bytesOfChunk('$3::int')}, 0)
        ELSE ${bytesOfFile}
      END FROM upload_file f WHERE f.batch_id = $1 AND f.index = $2
    ), 0) AS bytes
  )
  UPDATE upload_batch b SET bytes = greatest(0, b.bytes + change.bytes) FROM change WHERE b.id = $1
  RETURNING change.bytes::float8 AS more, ${usedBy('b.user_id')} AS used`;

/** The bytes received for a whole file or for a chunk. */
interface Received {
  readonly length: number;
  readonly chunk: { readonly index: number; readonly count: number; readonly size: number } | null;
}

/**
 * Adds the number of received bytes to the total of a locked batch, before the file or chunk is stored.
 * @throws QuotaExceeded
 */
export async function countUpload(
  { db, services }: Pick<Scope, 'db'> & Using<'config'>,
  { uuid, index }: { uuid: string; index: number },
  { length, chunk }: Received,
): Promise<void> {
  const values = [uuid, index, chunk?.index ?? null, chunk?.count ?? null, chunk?.size ?? null, length];
  const [counted] = await db.query(countQuery, values);
  const { UPLOAD_QUOTA: quota } = services.config;
  // A smaller file can always replace a larger one, even if the quota has been lowered since.
  if (counted && counted.more > 0 && counted.used + counted.more > quota) throw new QuotaExceeded(quota);
}

const deleteQuery = statement('delete-uploaded-file')`
  WITH gone AS (
    DELETE FROM upload_file f WHERE f.batch_id = $1 AND f.index = $2 RETURNING ${bytesOfFile} AS bytes
  )
  UPDATE upload_batch b SET bytes = greatest(0, b.bytes - gone.bytes) FROM gone WHERE b.id = $1 RETURNING b.id`;

/**
 * Deletes a file in a locked batch.
 * @returns whether it existed
 */
export async function deleteCounted(
  { db }: Pick<Scope, 'db'>,
  { uuid, index }: { uuid: string; index: number },
): Promise<boolean> {
  return (await db.query(deleteQuery, [uuid, index])).length > 0;
}
