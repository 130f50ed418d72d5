import { randomUUID } from 'node:crypto';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import { statement } from '../../db/statement.ts';
import { Invalid, NotFound, TooManyRequests } from '../../errors.ts';
import { batchIdOf, batchUuidOf, type UploadBatch } from '../../loaders/uploads/uploads.ts';
import type { Scope } from '../../scope.ts';

/** The names of the upload handlers that clients can use; `default` writes to the blob store. */
export const uploadHandlers: readonly string[] = ['default'];

/**
 * The error for a batch that does not exist or belongs to another user. Both cases give the same error, so that callers
 * cannot tell them apart.
 */
export const noBatch = (batchId: string): NotFound =>
  new NotFound(`There is no batch ${batchId.slice(0, 80)}.`);

/** The error for a file that does not exist in the batch. */
export const noFile = (batchId: string, file: string): NotFound =>
  new NotFound(`There is no file ${file.slice(0, 80)} in the batch ${batchId.slice(0, 80)}.`);

/**
 * The maximum number of open batches per user. It is limited because creating a batch costs a client nothing, but each
 * batch is a row for at least a day.
 */
const maxBatches = 1_000;

/** The number of seconds after which a rejected client can try again. */
const retryAfter = 60;

const beginQuery = statement('begin-upload')`
  INSERT INTO upload_batch (id, user_id) SELECT $1::uuid, $2 WHERE (
    SELECT count(*) FROM (SELECT FROM upload_batch b WHERE b.user_id = $2 LIMIT ${maxBatches}) open
  ) < ${maxBatches}
  RETURNING id`;

/**
 * Creates an upload batch, which only the caller can use.
 * @throws Invalid for an unknown handler; TooManyRequests
 */
export async function beginUpload({ db, user }: Scope, handler: string): Promise<UploadBatch> {
  if (!uploadHandlers.includes(handler))
    throw new Invalid(`Batch handler does not exist: ${handler.slice(0, 80)}`);
  const uuid = randomUUID();
  const begun = await db.query(beginQuery, [uuid, user.id]);
  if (begun.length === 0)
    throw new TooManyRequests(
      `You have ${maxBatches} upload batches, which is the maximum. Use or delete some of them, or wait: a batch that receives no file for a day is deleted.`,
      retryAfter,
    );
  return { id: batchIdOf(uuid), files: [] };
}

/** A file in a batch. */
export interface UploadSlot {
  readonly batchId: string;
  readonly file: string;
}

/**
 * Deletes one of the caller's batches.
 * @throws NotFound
 */
export async function deleteUpload({ db, user }: Scope, batchId: string): Promise<void> {
  const uuid = batchUuidOf(batchId);
  const where = { id: { in: uuid ? [uuid] : [] }, userId: user.id };
  if ((await db.prisma.uploadBatch.deleteMany({ where })).count === 0) throw noBatch(batchId);
}

/** Deletes the batches that a request has used (§4.7). This must be the last statement of the transaction. */
export async function endUsedUploads({
  db,
  user,
  options,
  usedUploads,
}: Pick<Scope, 'db' | 'user' | 'options' | 'usedUploads'>): Promise<void> {
  if (usedUploads.size === 0 || options.keepsUploads) return;
  const uuids = [...usedUploads].map(batchUuidOf).filter((uuid) => uuid !== undefined);
  await db.prisma.uploadBatch.deleteMany({ where: { id: { in: uuids }, userId: user.id } });
}

/** Deletes batches that have received no file for the given number of days, along with their files (§4.7). */
export const deleteOldUploads = oldRowsDeletion({ table: 'upload_batch', key: ['id'], since: 'used_at' });
