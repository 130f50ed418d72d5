import { randomUUID } from 'node:crypto';
import { oldRowsDeletion } from '../../db/old-rows.ts';
import { statement } from '../../db/statement.ts';
import { Invalid, NotFound, TooManyRequests } from '../../errors.ts';
import { batchIdOf, batchUuidOf, type UploadBatch } from '../../loaders/uploads/uploads.ts';
import type { Scope } from '../../scope.ts';

/** The reference implementation's upload handlers; `default` writes to the blob store. */
export const uploadHandlers: readonly string[] = ['default'];

/** The same for an absent batch and for one of another user. */
export const noBatch = (batchId: string): NotFound =>
  new NotFound(`there is no batch ${batchId.slice(0, 80)}`);

export const noFile = (batchId: string, file: string): NotFound =>
  new NotFound(`there is no file ${file.slice(0, 80)} in the batch ${batchId.slice(0, 80)}`);

/** Open batches of a user. Each is a row for a day, which costs nothing to make. */
const maxBatches = 1_000;

/** Seconds after which a client that was refused may find that batches have been used. */
const retryAfter = 60;

const beginQuery = statement('begin-upload')`
  INSERT INTO upload_batch (id, user_id) SELECT $1::uuid, $2 WHERE (
    SELECT count(*) FROM (SELECT FROM upload_batch b WHERE b.user_id = $2 LIMIT ${maxBatches}) open
  ) < ${maxBatches}
  RETURNING id`;

/** Only the caller can use the batch. @throws Invalid for an unknown handler; TooManyRequests */
export async function beginUpload({ db, user }: Scope, handler: string): Promise<UploadBatch> {
  if (!uploadHandlers.includes(handler))
    throw new Invalid(`Batch handler does not exist: ${handler.slice(0, 80)}`);
  const uuid = randomUUID();
  const begun = await db.query(beginQuery, [uuid, user.id]);
  if (begun.length === 0)
    throw new TooManyRequests(
      `A user can have ${maxBatches} upload batches at a time. Use or delete some of them; a batch that gets no file for a day is deleted.`,
      retryAfter,
    );
  return { id: batchIdOf(uuid), files: [] };
}

export interface UploadSlot {
  readonly batchId: string;
  readonly file: string;
}

export async function deleteUpload({ db, user }: Scope, batchId: string): Promise<void> {
  const uuid = batchUuidOf(batchId);
  const where = { id: { in: uuid ? [uuid] : [] }, userId: user.id };
  if ((await db.prisma.uploadBatch.deleteMany({ where })).count === 0) throw noBatch(batchId);
}

/** Deletes the batches that a request has used (§4.7): the last statement of its transaction, if any. */
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

/** Deletes the batches (§4.7) into which no file has come for so many days, with their files. */
export const deleteOldUploads = oldRowsDeletion({ table: 'upload_batch', key: ['id'], since: 'used_at' });
