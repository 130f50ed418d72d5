import type { Query } from '../db/database.ts';
import { Invalid, NotJoined } from '../errors.ts';
import { fileIndex, type UploadedFile, uploads, uuidOf } from '../loaders/uploads.ts';
import { requireStorable } from '../model/storable.ts';
import type { Scope } from '../scope.ts';
import { described } from './blob-values.ts';
import { holdUpload, noFile, type Place } from './uploads.ts';

/** Which chunk of a file some bytes are. */
export interface Chunk {
  readonly index: number;
  readonly count: number;
  /** Of the whole file, in bytes. */
  readonly size: number;
}

/** Bytes in the blob store that come into a batch. */
export interface Upload {
  readonly digest: string;
  readonly name: string;
  readonly mimeType: string;
  readonly encoding?: string | null | undefined;
  /** Absent when they are a whole file. */
  readonly chunk?: Chunk | null | undefined;
  /** Of the last chunk that was missing: the file that all of them make, and the digests of those that it was made of. */
  readonly joined?: { readonly digest: string; readonly of: readonly string[] } | null | undefined;
}

/** A file, and how many bytes of it came just now. */
export interface Received extends UploadedFile {
  readonly uploadedSize: number;
}

interface StoredChunk {
  readonly index: number;
  readonly digest: string;
  readonly length: number;
}

/** Chunks of a file: each makes a row, and a row in every answer. */
const mostChunks = 10_000;

/** All other chunks when only this one is missing, or comes again; else none. With them, the file that it is in already. */
const others: Query = {
  name: 'other-chunks',
  text: `
    SELECT c.index, c.digest, c.length::float8 AS length, CASE WHEN EXISTS (
      SELECT FROM upload_chunk m
      WHERE m.batch_id = f.batch_id AND m.file_index = f.index AND m.index = $4 AND m.digest = $7
    ) THEN f.digest END AS whole
    FROM upload_batch b
    JOIN upload_file f ON f.batch_id = b.id AND f.index = $3 AND f.chunk_count = $5 AND f.size = $6
    JOIN upload_chunk c ON c.batch_id = f.batch_id AND c.file_index = f.index AND c.index <> $4
    WHERE b.id = $1 AND b.user_id = $2 AND (
      SELECT count(*) FROM upload_chunk o WHERE o.batch_id = f.batch_id AND o.file_index = f.index AND o.index <> $4
    ) = $5 - 1
    ORDER BY c.index`,
};

/** Another file of the same number, which this one takes the place of: one that was cut otherwise. */
const removeOther: Query = {
  name: 'remove-other-file',
  text: `
    DELETE FROM upload_file
    WHERE batch_id = $1 AND index = $2
      AND (chunk_count IS DISTINCT FROM $3::int OR (chunk_count IS NOT NULL AND size <> $4::bigint))`,
};

const putFile: Query = {
  name: 'put-uploaded-file',
  text: `
    INSERT INTO upload_file (batch_id, index, name, mime_type, encoding, size, chunk_count, digest)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (batch_id, index) DO UPDATE SET name = EXCLUDED.name, mime_type = EXCLUDED.mime_type,
      encoding = EXCLUDED.encoding, size = EXCLUDED.size, digest = EXCLUDED.digest`,
};

const putChunk: Query = {
  name: 'put-chunk',
  text: `
    INSERT INTO upload_chunk (batch_id, file_index, index, digest, length) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (batch_id, file_index, index) DO UPDATE SET digest = EXCLUDED.digest, length = EXCLUDED.length`,
};

/** How many bytes there are; a sweep leaves them alone until they are written. @throws Invalid */
async function lengthOf({ blobs }: Pick<Scope, 'blobs'>, digest: string): Promise<number> {
  const length = await blobs.renew(digest);
  if (length === undefined) throw new Invalid(`there is no blob ${digest.slice(0, 80)}`);
  return length;
}

/** @throws Invalid */
function requireChunk({ index, count, size }: Chunk): void {
  if (count < 1 || count > mostChunks)
    throw new Invalid(`X-Upload-Chunk-Count: ${count} is not between 1 and ${mostChunks}`);
  if (index < 0 || index >= count)
    throw new Invalid(`X-Upload-Chunk-Index: ${index} is not between 0 and ${count - 1}`);
  if (!Number.isSafeInteger(size) || size < 0)
    throw new Invalid(`X-File-Size: ${size} is no number of bytes`);
}

/** All chunks of a file, in order, and what they were joined to before, when the last one comes again. */
interface Chunks {
  readonly all: readonly StoredChunk[];
  readonly whole: string | null;
}

/** All chunks of a file once one more is there; undefined while others are missing. */
async function allChunks(
  { db, user }: Scope,
  { uuid, index }: { uuid: string; index: number },
  { chunk, ...mine }: { chunk: Chunk; digest: string; length: number },
): Promise<Chunks | undefined> {
  if (chunk.count === 1) return { all: [{ ...mine, index: 0 }], whole: mine.digest };
  const given = [uuid, user.id, index, chunk.index, chunk.count, chunk.size, mine.digest];
  const found = await db.query<StoredChunk & Pick<Chunks, 'whole'>>(others, given);
  if (found.length < chunk.count - 1) return undefined;
  const all = [...found, { ...mine, index: chunk.index }].sort((one, other) => one.index - other.index);
  return { all, whole: found[0]?.whole ?? null };
}

/**
 * What is to be joined before an upload can be taken: the digests of all chunks of the file, when it is the last one that
 * is missing; else nothing.
 */
export async function chunksToJoin(
  scope: Scope,
  { batchId, file }: Place,
  { chunk, digest }: Upload,
): Promise<string[]> {
  const [uuid, index] = [uuidOf(batchId), fileIndex(file)];
  if (!chunk || !uuid || index === undefined) return [];
  const chunks = await allChunks(scope, { uuid, index }, { chunk, digest, length: 0 });
  if (!chunks || chunks.whole) return [];
  // Whoever joins them must find them, even if the batch ends meanwhile.
  await Promise.all(chunks.all.map((part) => lengthOf(scope, part.digest)));
  return chunks.all.map((part) => part.digest);
}

/** The digest of the file that all of its chunks make. @throws NotJoined when it was made of others; Invalid. */
async function wholeDigest(
  scope: Scope,
  { all, whole }: Chunks,
  { joined }: Upload,
  size: number,
): Promise<string> {
  const isMadeOf = all.every((part, at) => part.digest === joined?.of[at]);
  const digest = whole ?? (isMadeOf ? joined?.digest : undefined);
  if (!digest) throw new NotJoined('the chunks of the file changed meanwhile; try again');
  const length = all.reduce((sum, part) => sum + part.length, 0);
  if (length !== size)
    throw new Invalid(`X-File-Size: says ${size}, but the chunks are ${length} bytes together`);
  if ((await lengthOf(scope, digest)) !== length) throw new Invalid(`${digest} is not made of these chunks`);
  return digest;
}

/**
 * Takes bytes into a batch: a whole file, or a chunk of one, in the place of whatever was there. With its last chunk a
 * file becomes whole, so that there are never all chunks without the file.
 * @throws NotFound when the caller has no such batch; Invalid; NotJoined when it is the last chunk, and the file is not
 * made of all that there are.
 */
export async function uploadFile(scope: Scope, place: Place, upload: Upload): Promise<Received> {
  requireStorable(upload);
  const { name, mimeType, encoding = null, digest, chunk = null } = upload;
  if (chunk) requireChunk(chunk);
  const length = await lengthOf(scope, digest);
  // What no document would take is refused now, not when it is too late.
  described({ name, mimeType, encoding, digest, length }, {}, 'X-File-Type');
  const held = await holdUpload(scope, place);
  const { uuid, index } = held;
  const { size, count } = chunk ?? { size: length, count: null };
  const chunks = chunk && (await allChunks(scope, held, { chunk, digest, length }));
  const whole = chunks ? await wholeDigest(scope, chunks, upload, size) : chunk ? null : digest;
  await scope.db.query(removeOther, [uuid, index, count, size]);
  await scope.db.query(putFile, [uuid, index, name, mimeType, encoding, size, count, whole]);
  if (chunk) await scope.db.query(putChunk, [uuid, index, chunk.index, digest, length]);
  const [file] = (await uploads(scope)([place.batchId], [index])).get(place.batchId)?.files ?? [];
  if (!file) throw noFile(place.batchId, place.file);
  return { ...file, uploadedSize: length };
}
