import { Invalid, NotFound } from '../errors.ts';
import { fileIndex, type UploadedFile, uploads } from '../loaders/uploads.ts';
import type { PendingBlob } from '../model/read-value.ts';
import type { StoredBlob } from '../model/stored.ts';
import type { Scope } from '../scope.ts';
import { noBatch, noFile } from './uploads.ts';

/**
 * The blob that an uploaded file is. A sweep leaves its bytes alone until they are written, and its batch ends with the call.
 * @throws Invalid when chunks of it are missing.
 */
async function blobOf({ blobs, usedUploads }: Scope, file: UploadedFile): Promise<StoredBlob> {
  const { batchId, index, name, mimeType, encoding, digest, chunks, chunkCount } = file;
  if (digest === null)
    throw new Invalid(
      `the file ${index} of the batch ${batchId} is not complete: ${chunks.length} of ${chunkCount} chunks are there`,
    );
  const length = await blobs.renew(digest);
  if (length === undefined) throw noFile(batchId, String(index)); // the batch ended long ago, this moment
  usedUploads.add(batchId);
  return { name, mimeType, encoding, digest, length };
}

/** A fault of what a body names is one of the body. */
async function inBody<T>(xpath: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isFault = error instanceof NotFound || error instanceof Invalid;
    throw isFault ? new Invalid(`${xpath}: ${error.message}`, { cause: error }) : error;
  }
}

/**
 * Finds the uploads that a body names in its blobs, in one statement for all of them.
 * @returns what tells the upload that a blob is. It throws Invalid when there is none, or chunks of it are missing.
 */
export async function findUploaded(
  scope: Scope,
  pending: readonly Pick<PendingBlob, 'json'>[],
): Promise<(blob: Pick<PendingBlob, 'json' | 'xpath'>) => Promise<StoredBlob>> {
  const named = pending.flatMap(({ json }) => json['upload-batch'] ?? []);
  const indexes = pending.flatMap(({ json }) => fileIndex(json['upload-fileId'] ?? '') ?? []);
  const batches = await uploads(scope)([...new Set(named)], indexes);
  return ({ json, xpath }) =>
    inBody(xpath, () => {
      const { 'upload-batch': batchId = '', 'upload-fileId': file = '' } = json;
      const batch = batches.get(batchId);
      if (!batch) throw noBatch(batchId);
      const found = batch.files.find(({ index }) => index === fileIndex(file));
      if (!found) throw noFile(batchId, file);
      return blobOf(scope, found);
    });
}

/** What an operation is to work on: a file of a batch, or all of them. */
export interface GivenUpload {
  readonly batch: string;
  readonly file?: string | null | undefined;
}

/** The blobs of a batch, or the one that is named. @throws NotFound; Invalid when chunks of it are missing, or there are no files. */
export async function blobsOfUpload(
  scope: Scope,
  { batch: batchId, file }: GivenUpload,
): Promise<StoredBlob[]> {
  const index = typeof file === 'string' ? fileIndex(file) : undefined;
  const batch = (await uploads(scope)([batchId], index === undefined ? null : [index])).get(batchId);
  if (!batch) throw noBatch(batchId);
  const files = typeof file === 'string' ? batch.files.filter((found) => found.index === index) : batch.files;
  if (files.length === 0)
    throw typeof file === 'string' ? noFile(batchId, file) : new Invalid(`the batch ${batchId} has no files`);
  return Promise.all(files.map((found) => blobOf(scope, found)));
}
