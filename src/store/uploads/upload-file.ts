import pMap from 'p-map';
import { modelColumns } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import { ChunksChanged, Conflict, Invalid } from '../../errors.ts';
import { batchUuidOf, fileIndex, type UploadedFile, uploadBatches } from '../../loaders/uploads/uploads.ts';
import { requireStorable } from '../../model/values/storable.ts';
import type { Scope, Using } from '../../scope.ts';
import { applyBlobJson } from '../blobs/blob-values.ts';
import { lockUpload } from '../row-locks/lock-upload.ts';
import { countUpload, deleteCounted } from './upload-bytes.ts';
import { noFile, type UploadSlot } from './uploads.ts';

/** A part of a file that is uploaded in several requests. */
interface Chunk {
  readonly index: number;
  readonly count: number;
  readonly size: number;
}

/** An uploaded file or chunk whose bytes are already in the blob store. */
interface Upload {
  readonly digest: string;
  readonly name: string;
  readonly mimeType: string;
  readonly encoding?: string | null | undefined;
  readonly chunk?: Chunk | null | undefined;
  /** Whether to reject a chunk that has already been received for a file that is still incomplete. */
  readonly isFirst?: boolean;
  /**
   * The file joined from its chunks, along with the digests of these chunks; set when the last missing chunk is added.
   */
  readonly joined?: { readonly digest: string; readonly of: readonly string[] } | null | undefined;
}

/** An uploaded file, along with the number of bytes that this request has added. */
export interface UploadResult extends UploadedFile {
  readonly uploadedSize: number;
}

interface StoredChunk {
  readonly index: number;
  readonly digest: string;
  readonly length: number;
}

/** The maximum number of files in a batch. */
const maxFiles = 1000;

/**
 * The maximum number of chunks in a file. It is limited because each chunk is stored in a row, and every response lists
 * the indexes of all received chunks.
 */
const maxChunks = 10_000;

/**
 * Selects all other chunks of a file, along with the digest of the joined file if it exists; no rows if another chunk
 * is missing. The CTE is materialized so that the chunks are counted once; otherwise, PostgreSQL may count them again
 * for each chunk.
 */
const others = statement('other-chunks', {
  ...modelColumns('UploadChunk', 'index', 'digest'),
  length: 'float8',
  whole: 'text?',
  isKnown: 'bool',
})`
  WITH file AS MATERIALIZED (
    SELECT f.batch_id, f.index, f.digest, EXISTS (
      SELECT FROM upload_chunk m
      WHERE m.batch_id = f.batch_id AND m.file_index = f.index AND m.index = $4 AND m.digest = $7
    ) AS is_known, (
      SELECT count(*) FROM upload_chunk o WHERE o.batch_id = f.batch_id AND o.file_index = f.index AND o.index <> $4
    ) AS others
    FROM upload_batch b
    JOIN upload_file f ON f.batch_id = b.id AND f.index = $3 AND f.chunk_count = $5 AND f.size = $6
    WHERE b.id = $1 AND b.user_id = $2
  )
  SELECT c.index, c.digest, c.length::float8 AS length, f.digest AS whole, f.is_known AS "isKnown"
  FROM file f
  JOIN upload_chunk c ON c.batch_id = f.batch_id AND c.file_index = f.index AND c.index <> $4
  WHERE f.others = $5 - 1
  ORDER BY c.index`;

// These statements are plain SQL, because Prisma takes half a millisecond longer for each, and a file can have
// thousands of chunks.

/** Deletes an earlier file with the same index that was divided into chunks differently. */
const removeOther = statement('remove-other-file')`
  DELETE FROM upload_file
  WHERE batch_id = $1 AND index = $2
    AND (chunk_count IS DISTINCT FROM $3::int OR (chunk_count IS NOT NULL AND size <> $4::bigint))`;

// The media type of a chunked file is detected when the file is complete. A request that sends a chunk again does not
// contain this type, so the stored type remains unchanged.
const putFile = statement('put-uploaded-file')`
  INSERT INTO upload_file (batch_id, index, name, mime_type, encoding, size, chunk_count, digest)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
  ON CONFLICT (batch_id, index) DO UPDATE SET name = EXCLUDED.name,
    mime_type = CASE WHEN EXCLUDED.chunk_count > 1 AND upload_file.digest = EXCLUDED.digest
      THEN upload_file.mime_type ELSE EXCLUDED.mime_type END,
    encoding = EXCLUDED.encoding, size = EXCLUDED.size, digest = EXCLUDED.digest`;

const putChunk = statement('put-chunk')`
  INSERT INTO upload_chunk (batch_id, file_index, index, digest, length) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (batch_id, file_index, index) DO UPDATE SET digest = EXCLUDED.digest, length = EXCLUDED.length`;

/**
 * Returns the length of a blob, and renews the blob so that no sweep deletes it before the commit.
 * @throws Invalid
 */
async function lengthOf({ services: { blobs } }: Using<'blobs'>, digest: string): Promise<number> {
  const length = await blobs.renew(digest);
  if (length === undefined) throw new Invalid(`There is no blob ${digest.slice(0, 80)}.`);
  return length;
}

function requireChunk({ index, count, size }: Chunk): void {
  if (count < 1 || count > maxChunks)
    throw new Invalid(`must be between 1 and ${maxChunks}; got ${count}`, { field: 'chunk.count' });
  if (index < 0 || index >= count)
    throw new Invalid(`must be between 0 and ${count - 1}; got ${index}`, { field: 'chunk.index' });
  if (!Number.isSafeInteger(size) || size < 0)
    throw new Invalid(`must be a number of bytes; got ${size}`, { field: 'chunk.size' });
}

/** All chunks of a file, along with the digest of the joined file if it exists. */
interface Chunks {
  readonly all: readonly StoredChunk[];
  readonly whole: string | null;
}

/**
 * Returns all chunks of a file, including the new one; undefined if one is missing.
 * @throws Conflict for a chunk of a complete file with different bytes, because the file would have to be joined again
 * for each such chunk
 */
async function allChunks(
  { db, user }: Scope,
  { uuid, index }: { uuid: string; index: number },
  { chunk, ...mine }: { chunk: Chunk; digest: string; length: number },
): Promise<Chunks | undefined> {
  if (chunk.count === 1) return { all: [{ ...mine, index: 0 }], whole: mine.digest };
  const values = [uuid, user.id, index, chunk.index, chunk.count, chunk.size, mine.digest];
  const found = await db.query(others, values);
  if (found.length < chunk.count - 1) return undefined;
  if (found[0]?.whole && !found[0].isKnown)
    throw new Conflict(
      `The file is complete, and its chunk ${chunk.index} has different bytes. Delete the file to send it again.`,
    );
  const all = [...found, { ...mine, index: chunk.index }].sort((one, other) => one.index - other.index);
  return { all, whole: found[0]?.whole ?? null };
}

function requireSize(size: number, lengths: readonly number[]): void {
  const length = lengths.reduce((sum, each) => sum + each, 0);
  if (length !== size)
    throw new Invalid(`is ${size}, but the chunks have ${length} bytes in total`, { field: 'chunk.size' });
}

/**
 * Returns the digests of the chunks to join before the last missing chunk is added; empty if other chunks are missing
 * as well.
 */
export async function chunksToJoin(
  scope: Scope,
  { batchId, file }: UploadSlot,
  { chunk, digest }: Upload,
): Promise<string[]> {
  const [uuid, index] = [batchUuidOf(batchId), fileIndex(file)];
  if (!chunk || !uuid) return [];
  const chunks = await allChunks(scope, { uuid, index }, { chunk, digest, length: 0 });
  if (!chunks || chunks.whole) return [];
  // The blobs are renewed, because they must exist until they have been joined, even if the batch is deleted in the
  // meantime.
  const lengths = await pMap(chunks.all, (part) => lengthOf(scope, part.digest), { concurrency: 16 });
  requireSize(chunk.size, lengths);
  return chunks.all.map((part) => part.digest);
}

/**
 * The digest of the joined file.
 * @throws ChunksChanged if different chunks were joined; Invalid
 */
async function wholeDigest(
  scope: Scope,
  { all, whole }: Chunks,
  { joined }: Upload,
  size: number,
): Promise<string> {
  const isMadeOf = all.every((part, at) => part.digest === joined?.of[at]);
  const digest = whole ?? (isMadeOf ? joined?.digest : undefined);
  if (!digest) throw new ChunksChanged('The chunks of the file changed in the meantime. Try again.');
  requireSize(
    size,
    all.map(({ length }) => length),
  );
  if ((await lengthOf(scope, digest)) !== size)
    throw new Invalid(`The joined file ${digest} does not consist of these chunks.`);
  return digest;
}

const isReceived = statement('received-chunk')`
  SELECT FROM upload_file f JOIN upload_chunk c ON c.batch_id = f.batch_id AND c.file_index = f.index
  WHERE f.batch_id = $1 AND f.index = $2 AND c.index = $3 AND f.digest IS NULL`;

/** @throws Conflict if the file is incomplete and already has the chunk */
async function requireMissing(
  { db }: Scope,
  { uuid, index }: { uuid: string; index: number },
  chunk: Chunk,
): Promise<void> {
  const received = await db.query(isReceived, [uuid, index, chunk.index]);
  if (received.length > 0)
    throw new Conflict(`chunk ${chunk.index} has already been received`, { field: 'chunk.index' });
}

/**
 * Adds a file, or a chunk of one, to a batch, replacing an earlier one. The last chunk is committed together with the
 * joined file, so a file that has all of its chunks is always joined.
 * @throws NotFound if the caller has no such batch; Invalid; QuotaExceeded; Conflict for a chunk of a complete file
 * with different bytes; ChunksChanged if the joined file lacks a chunk
 */
export async function uploadFile(scope: Scope, place: UploadSlot, upload: Upload): Promise<UploadResult> {
  requireStorable(upload);
  const { name, mimeType, encoding = null, digest, chunk = null } = upload;
  if (chunk) requireChunk(chunk);
  const length = await lengthOf(scope, digest);
  // Metadata that no document would accept is rejected here, rather than only when the upload is used.
  applyBlobJson({ name, mimeType, encoding, digest, length }, {}, 'mimeType');
  const slot = await lockUpload(scope, place);
  const { uuid, index } = slot;
  if (chunk && upload.isFirst) await requireMissing(scope, slot, chunk);
  if (slot.others >= maxFiles) throw new Invalid(`A batch can have at most ${maxFiles} files.`);
  const { size, count } = chunk ?? { size: length, count: null };
  const chunks = chunk && (await allChunks(scope, slot, { chunk, digest, length }));
  const whole = chunks ? await wholeDigest(scope, chunks, upload, size) : chunk ? null : digest;
  await countUpload(scope, slot, { length, chunk });
  await scope.db.query(removeOther, [uuid, index, count, size]);
  await scope.db.query(putFile, [uuid, index, name, mimeType, encoding, size, count, whole]);
  if (chunk) await scope.db.query(putChunk, [uuid, index, chunk.index, digest, length]);
  const [file] = (await uploadBatches(scope)([place.batchId], [index])).get(place.batchId)?.files ?? [];
  if (!file) throw noFile(place.batchId, place.file);
  return { ...file, uploadedSize: length };
}

/**
 * Deletes a file from one of the caller's upload batches.
 * @throws NotFound, Invalid
 */
export async function deleteUploadedFile(scope: Scope, place: UploadSlot): Promise<void> {
  if (!(await deleteCounted(scope, await lockUpload(scope, place)))) throw noFile(place.batchId, place.file);
}
