import { Invalid, NotFound } from '../../errors.ts';
import { fileIndex, type UploadedFile, uploadBatches } from '../../loaders/uploads/uploads.ts';
import type { PendingBlob } from '../../model/values/read-value.ts';
import type { StoredBlob } from '../../model/values/stored.ts';
import type { Scope, Using, ValueScope } from '../../scope.ts';
import { noBatch, noFile } from './uploads.ts';

/**
 * The blob of an uploaded file. It is renewed, so that no sweep deletes it before the commit, and its batch is marked
 * as used.
 * @throws Invalid if chunks are missing
 */
async function blobOf(
  { services: { blobs }, usedUploads }: Pick<Scope, 'usedUploads'> & Using<'blobs'>,
  file: UploadedFile,
): Promise<StoredBlob> {
  const { batchId, index, name, mimeType, encoding, digest, chunks, chunkCount } = file;
  if (digest === null)
    throw new Invalid(
      `The file ${index} of the batch ${batchId} is not complete: ${chunks.length} of ${chunkCount} chunks were received.`,
    );
  const length = await blobs.renew(digest);
  if (length === undefined) throw noFile(batchId, String(index)); // the batch has just been deleted
  usedUploads.add(batchId);
  return { name, mimeType, encoding, digest, length };
}

/** Reports a missing upload as a fault in the property whose value refers to the upload. */
async function inBody<T>(xpath: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isFault = error instanceof NotFound || error instanceof Invalid;
    throw isFault ? new Invalid(`${xpath}: ${error.message}`, { cause: error }) : error;
  }
}

/**
 * Reads all uploads that a request body refers to, in one statement.
 * @returns a function that returns the blob of an upload; it throws Invalid for an unknown upload or one with missing
 * chunks
 */
export async function findUploaded(
  scope: ValueScope,
  pending: readonly Pick<PendingBlob, 'json' | 'xpath'>[],
): Promise<(blob: Pick<PendingBlob, 'json' | 'xpath'>) => Promise<StoredBlob>> {
  const uploads = pending.filter(({ json }) => json['upload-batch'] !== undefined);
  const named = uploads.flatMap(({ json }) => json['upload-batch'] ?? []);
  const indexes = uploads.map(({ json, xpath }) =>
    inBody(xpath, async () => fileIndex(json['upload-fileId'] ?? '')),
  );
  const batches = await uploadBatches(scope)([...new Set(named)], await Promise.all(indexes));
  const files = new Map(
    [...batches].map(([id, batch]) => [id, new Map(batch.files.map((each) => [each.index, each]))]),
  );
  return ({ json, xpath }) =>
    inBody(xpath, () => {
      const { 'upload-batch': batchId = '', 'upload-fileId': file = '' } = json;
      const batch = files.get(batchId);
      if (!batch) throw noBatch(batchId);
      const found = batch.get(fileIndex(file));
      if (!found) throw noFile(batchId, file);
      return blobOf(scope, found);
    });
}

/** Refers to a file in a batch or, without `file`, to all files in the batch. */
export interface UploadReference {
  readonly batch: string;
  readonly file?: string | null | undefined;
}

/** The blobs of uploaded files. @throws NotFound; Invalid if chunks are missing or the batch is empty */
export async function blobsOfUpload(
  scope: Scope,
  { batch: batchId, file }: UploadReference,
): Promise<StoredBlob[]> {
  const index = typeof file === 'string' ? fileIndex(file) : undefined;
  const batch = (await uploadBatches(scope)([batchId], index === undefined ? null : [index])).get(batchId);
  if (!batch) throw noBatch(batchId);
  const files = typeof file === 'string' ? batch.files.filter((found) => found.index === index) : batch.files;
  if (files.length === 0)
    throw typeof file === 'string'
      ? noFile(batchId, file)
      : new Invalid(`The batch ${batchId} has no files.`);
  return Promise.all(files.map((found) => blobOf(scope, found)));
}
