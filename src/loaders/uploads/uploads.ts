import { modelColumns, nullableColumns } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import { Invalid } from '../../errors.ts';
import { isUuid } from '../../model/names.ts';
import type { Scope } from '../../scope.ts';

/** A file in an upload batch (§4.7). */
export interface UploadedFile {
  readonly batchId: string;
  readonly index: number;
  readonly name: string;
  readonly mimeType: string;
  readonly encoding: string | null;
  /** The size in bytes; for a file that is uploaded in chunks, the declared size. */
  readonly size: number;
  /** The number of chunks; null for a file that is not uploaded in chunks. */
  readonly chunkCount: number | null;
  /** The indexes of the chunks that have been received. */
  readonly chunks: readonly number[];
  /** The digest of the complete file; null while chunks are missing. */
  readonly digest: string | null;
}

export interface UploadBatch {
  readonly id: string;
  readonly files: readonly UploadedFile[];
}

const prefix = 'batchId-';

export const batchIdOf = (uuid: string): string => prefix + uuid;

export function batchUuidOf(batchId: string): string | undefined {
  const uuid = batchId.slice(prefix.length).toLowerCase();
  return isUuid(uuid) && batchId === batchIdOf(uuid) ? uuid : undefined;
}

/**
 * Parses the index of a file in a batch.
 * @throws Invalid if the string is not an index
 */
export function fileIndex(text: string): number {
  if (!/^\d{1,10}$/.test(text) || Number(text) >= 2 ** 31)
    throw new Invalid(`"${text.slice(0, 80)}" is not the index of a file in a batch.`);
  return Number(text);
}

/** Selects a row for each file in each batch, and a row without a file for an empty batch. */
const query = statement('uploads', {
  uuid: 'uuid',
  ...nullableColumns(
    modelColumns('UploadFile', 'index', 'name', 'mimeType', 'encoding', 'chunkCount', 'digest'),
  ),
  size: 'float8?',
  chunks: 'int4[]',
})`
  SELECT b.id AS uuid, f.index, f.name, f.mime_type AS "mimeType", f.encoding, f.size::float8 AS size,
    f.chunk_count AS "chunkCount", f.digest,
    ARRAY(
      SELECT c.index FROM upload_chunk c WHERE c.batch_id = f.batch_id AND c.file_index = f.index ORDER BY c.index
    ) AS chunks
  FROM upload_batch b
  LEFT JOIN upload_file f ON f.batch_id = b.id AND ($3::int[] IS NULL OR f.index = ANY ($3::int[]))
  WHERE b.user_id = $1 AND b.id = ANY ($2::uuid[])
  ORDER BY b.id, f.index`;

/**
 * Reads upload batches by their public ids. Batches that belong to other users are omitted.
 * @param indexes the indexes of the files to read; if absent, all files are read
 */
export const uploadBatches =
  ({ db, user }: Pick<Scope, 'db' | 'user'>) =>
  async (
    batchIds: readonly string[],
    indexes: readonly number[] | null = null,
  ): Promise<Map<string, UploadBatch>> => {
    const uuids = batchIds.map(batchUuidOf).filter((uuid) => uuid !== undefined);
    if (uuids.length === 0) return new Map();
    const files = new Map<string, UploadedFile[]>();
    for (const { uuid, ...file } of await db.query(query, [user.id, uuids, indexes])) {
      const batchId = batchIdOf(uuid);
      const before = files.get(batchId) ?? [];
      files.set(
        batchId,
        file.index === null ? before : [...before, { ...(file as Omit<UploadedFile, 'batchId'>), batchId }],
      );
    }
    return new Map([...files].map(([id, of]) => [id, { id, files: of }]));
  };
