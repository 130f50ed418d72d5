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

interface Chunk {
  readonly index: number;
  readonly count: number;
  readonly size: number;
}

interface Upload {
  readonly digest: string;
  readonly name: string;
  readonly mimeType: string;
  readonly encoding?: string | null | undefined;
  readonly chunk?: Chunk | null | undefined;
  /** Whether a chunk that was received before is refused, until the file is complete. */
  readonly isFirst?: boolean;
  /** Set with the last missing chunk: the joined file, and the digests of its chunks. */
  readonly joined?: { readonly digest: string; readonly of: readonly string[] } | null | undefined;
}

export interface UploadResult extends UploadedFile {
  readonly uploadedSize: number;
}

interface StoredChunk {
  readonly index: number;
  readonly digest: string;
  readonly length: number;
}

const mostFiles = 1000;

/** Each chunk is a row of the table and an index in every answer. */
const mostChunks = 10_000;

/** All other chunks, with the joined file if there is one, unless another chunk than this one is missing. */
const others = statement('other-chunks', {
  ...modelColumns('UploadChunk', 'index', 'digest'),
  length: 'float8',
  whole: 'text?',
  isKnown: 'bool',
})`
  SELECT c.index, c.digest, c.length::float8 AS length, f.digest AS whole, EXISTS (
    SELECT FROM upload_chunk m
    WHERE m.batch_id = f.batch_id AND m.file_index = f.index AND m.index = $4 AND m.digest = $7
  ) AS "isKnown"
  FROM upload_batch b
  JOIN upload_file f ON f.batch_id = b.id AND f.index = $3 AND f.chunk_count = $5 AND f.size = $6
  JOIN upload_chunk c ON c.batch_id = f.batch_id AND c.file_index = f.index AND c.index <> $4
  WHERE b.id = $1 AND b.user_id = $2 AND (
    SELECT count(*) FROM upload_chunk o WHERE o.batch_id = f.batch_id AND o.file_index = f.index AND o.index <> $4
  ) = $5 - 1
  ORDER BY c.index`;

// There may be thousands of chunks: Prisma Client would take half a millisecond more for each statement.

/** Removes an earlier file of the same index that was cut into chunks differently. */
const removeOther = statement('remove-other-file')`
  DELETE FROM upload_file
  WHERE batch_id = $1 AND index = $2
    AND (chunk_count IS DISTINCT FROM $3::int OR (chunk_count IS NOT NULL AND size <> $4::bigint))`;

// The media type of a file in chunks is told when it is complete: a chunk that comes again does not know it.
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

/** Renews the blob, so that no sweep deletes it before the commit. @throws Invalid */
async function lengthOf({ services: { blobs } }: Using<'blobs'>, digest: string): Promise<number> {
  const length = await blobs.renew(digest);
  if (length === undefined) throw new Invalid(`there is no blob ${digest.slice(0, 80)}`);
  return length;
}

function requireChunk({ index, count, size }: Chunk): void {
  if (count < 1 || count > mostChunks)
    throw new Invalid(`${count} is not between 1 and ${mostChunks}`, { field: 'chunk.count' });
  if (index < 0 || index >= count)
    throw new Invalid(`${index} is not between 0 and ${count - 1}`, { field: 'chunk.index' });
  if (!Number.isSafeInteger(size) || size < 0)
    throw new Invalid(`${size} is not a number of bytes`, { field: 'chunk.size' });
}

interface Chunks {
  readonly all: readonly StoredChunk[];
  readonly whole: string | null;
}

/** @throws Conflict for other bytes of a complete file: each of them would have it joined again. */
async function allChunks(
  { db, user }: Scope,
  { uuid, index }: { uuid: string; index: number },
  { chunk, ...mine }: { chunk: Chunk; digest: string; length: number },
): Promise<Chunks | undefined> {
  if (chunk.count === 1) return { all: [{ ...mine, index: 0 }], whole: mine.digest };
  const given = [uuid, user.id, index, chunk.index, chunk.count, chunk.size, mine.digest];
  const found = await db.query(others, given);
  if (found.length < chunk.count - 1) return undefined;
  if (found[0]?.whole && !found[0].isKnown)
    throw new Conflict(
      `the file is complete, and chunk ${chunk.index} of it has other bytes: delete it to send it anew`,
    );
  const all = [...found, { ...mine, index: chunk.index }].sort((one, other) => one.index - other.index);
  return { all, whole: found[0]?.whole ?? null };
}

function requireSize(size: number, lengths: readonly number[]): void {
  const length = lengths.reduce((sum, each) => sum + each, 0);
  if (length !== size)
    throw new Invalid(`says ${size}, but the chunks are ${length} bytes together`, { field: 'chunk.size' });
}

/** The digests to join before the last missing chunk is added; empty for any other. */
export async function chunksToJoin(
  scope: Scope,
  { batchId, file }: UploadSlot,
  { chunk, digest }: Upload,
): Promise<string[]> {
  const [uuid, index] = [batchUuidOf(batchId), fileIndex(file)];
  if (!chunk || !uuid) return [];
  const chunks = await allChunks(scope, { uuid, index }, { chunk, digest, length: 0 });
  if (!chunks || chunks.whole) return [];
  // The files must survive until they are joined, even if the batch ends meanwhile.
  const lengths = await pMap(chunks.all, (part) => lengthOf(scope, part.digest), { concurrency: 16 });
  requireSize(chunk.size, lengths);
  return chunks.all.map((part) => part.digest);
}

/** The digest of the joined file. @throws ChunksChanged when other chunks were joined; Invalid. */
async function wholeDigest(
  scope: Scope,
  { all, whole }: Chunks,
  { joined }: Upload,
  size: number,
): Promise<string> {
  const isMadeOf = all.every((part, at) => part.digest === joined?.of[at]);
  const digest = whole ?? (isMadeOf ? joined?.digest : undefined);
  if (!digest) throw new ChunksChanged('the chunks of the file changed meanwhile; try again');
  requireSize(
    size,
    all.map(({ length }) => length),
  );
  if ((await lengthOf(scope, digest)) !== size) throw new Invalid(`${digest} is not made of these chunks`);
  return digest;
}

const isReceived = statement('received-chunk')`
  SELECT FROM upload_file f JOIN upload_chunk c ON c.batch_id = f.batch_id AND c.file_index = f.index
  WHERE f.batch_id = $1 AND f.index = $2 AND c.index = $3 AND f.digest IS NULL`;

/** @throws Conflict when a file that is not complete has the chunk. */
async function requireMissing(
  { db }: Scope,
  { uuid, index }: { uuid: string; index: number },
  chunk: Chunk,
): Promise<void> {
  const received = await db.query(isReceived, [uuid, index, chunk.index]);
  if (received.length > 0) throw new Conflict(`${chunk.index} was received before`, { field: 'chunk.index' });
}

/**
 * Adds a file, or a chunk of one, to a batch and replaces an earlier one. The last chunk is committed with
 * the joined file, so that all chunks never exist without it.
 * @throws NotFound when the caller has no such batch; Invalid; QuotaExceeded; Conflict for other bytes of a
 * complete file; ChunksChanged when the joined file lacks a chunk.
 */
export async function uploadFile(scope: Scope, place: UploadSlot, upload: Upload): Promise<UploadResult> {
  requireStorable(upload);
  const { name, mimeType, encoding = null, digest, chunk = null } = upload;
  if (chunk) requireChunk(chunk);
  const length = await lengthOf(scope, digest);
  // Metadata that no document accepts are refused here, not when the upload is used.
  applyBlobJson({ name, mimeType, encoding, digest, length }, {}, 'mimeType');
  const slot = await lockUpload(scope, place);
  const { uuid, index } = slot;
  if (chunk && upload.isFirst) await requireMissing(scope, slot, chunk);
  if (slot.others >= mostFiles) throw new Invalid(`the batch has ${mostFiles} files: no more fit into one`);
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

export async function deleteUploadedFile(scope: Scope, place: UploadSlot): Promise<void> {
  if (!(await deleteCounted(scope, await lockUpload(scope, place)))) throw noFile(place.batchId, place.file);
}
