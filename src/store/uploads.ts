import { randomUUID } from 'node:crypto';
import type { Query } from '../db/database.ts';
import { Invalid, NotFound } from '../errors.ts';
import { batchIdOf, fileIndex, type UploadBatch, uuidOf } from '../loaders/uploads.ts';
import type { Scope } from '../scope.ts';

/** What bytes are uploaded through: there is one, which puts them into the blob store. */
export const uploadHandlers: readonly string[] = ['default'];

/** Files in a batch. */
const most = 1000;

const begin: Query = {
  name: 'begin-upload',
  text: 'INSERT INTO upload_batch (id, user_id) VALUES ($1, $2)',
};

/** Holds it too: of two who write the same batch, one waits. */
const use: Query = {
  name: 'use-upload',
  text: `
    UPDATE upload_batch SET used_at = now() WHERE id = $1 AND user_id = $2
    RETURNING (SELECT count(*)::int FROM upload_file f WHERE f.batch_id = $1 AND f.index <> $3) AS others`,
};

const end: Query = {
  name: 'end-uploads',
  text: 'DELETE FROM upload_batch WHERE id = ANY ($1::uuid[]) AND user_id = $2 RETURNING id',
};

const removeFile: Query = {
  name: 'remove-uploaded-file',
  text: `
    DELETE FROM upload_file f USING upload_batch b
    WHERE b.id = f.batch_id AND b.id = $1 AND b.user_id = $2 AND f.index = $3 RETURNING f.index`,
};

/** Of a batch that is not there for the caller, whatever the reason. */
export const noBatch = (batchId: string): NotFound =>
  new NotFound(`there is no batch ${batchId.slice(0, 80)}`);

/** Of a file that is not there. */
export const noFile = (batchId: string, file: string): NotFound =>
  new NotFound(`there is no file ${file.slice(0, 80)} in the batch ${batchId.slice(0, 80)}`);

/** Begins a batch, which is the caller's alone. @throws Invalid when there is no such handler. */
export async function beginUpload({ db, user }: Scope, handler: string): Promise<UploadBatch> {
  if (!uploadHandlers.includes(handler))
    throw new Invalid(`Batch handler does not exist: ${handler.slice(0, 80)}`);
  const uuid = randomUUID();
  await db.query(begin, [uuid, user.id]);
  return { id: batchIdOf(uuid), files: [] };
}

/** Where a file goes. */
export interface Place {
  readonly batchId: string;
  /** The caller's own number of the file. */
  readonly file: string;
}

/**
 * Holds a batch of the caller while a file of it is written.
 * @throws Invalid when it is no number of a file, or there are too many; NotFound when there is no such batch.
 */
export async function holdUpload(
  { db, user }: Scope,
  { batchId, file }: Place,
): Promise<{ uuid: string; index: number }> {
  const index = fileIndex(file);
  if (index === undefined) throw new Invalid(`"${file.slice(0, 80)}" is no number of a file`);
  const uuid = uuidOf(batchId);
  const [held] = uuid ? await db.query<{ others: number }>(use, [uuid, user.id, index]) : [];
  if (!uuid || !held) throw noBatch(batchId);
  if (held.others >= most) throw new Invalid(`the batch has ${most} files: no more fit into one`);
  return { uuid, index };
}

/** Deletes a batch with its files. @throws NotFound */
export async function deleteUpload({ db, user }: Scope, batchId: string): Promise<void> {
  const uuid = uuidOf(batchId);
  const gone = uuid ? await db.query(end, [[uuid], user.id]) : [];
  if (gone.length === 0) throw noBatch(batchId);
}

/** Deletes a file of a batch. @throws NotFound */
export async function deleteUploadedFile({ db, user }: Scope, { batchId, file }: Place): Promise<void> {
  const [uuid, index] = [uuidOf(batchId), fileIndex(file)];
  const gone = uuid && index !== undefined ? await db.query(removeFile, [uuid, user.id, index]) : [];
  if (gone.length === 0) throw noFile(batchId, file);
}

/** Ends the batches that a request has used, unless it wants them kept: done last, when nothing can fail any more. */
export async function endUsedUploads({ db, user, options, usedUploads }: Scope): Promise<void> {
  if (usedUploads.size === 0 || options.keepsUploads) return;
  await db.query(end, [[...usedUploads].map(uuidOf), user.id]);
}
