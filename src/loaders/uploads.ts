import type { Query } from '../db/database.ts';
import { isUuid } from '../model/names.ts';
import type { Scope } from '../scope.ts';

/** A file of a batch (§4.7). */
export interface UploadedFile {
  /** The id of the batch, as clients know it. */
  readonly batchId: string;
  readonly index: number;
  readonly name: string;
  readonly mimeType: string;
  readonly encoding: string | null;
  /** In bytes; of one in chunks, as the caller says. */
  readonly size: number;
  /** Null when the file came whole. */
  readonly chunkCount: number | null;
  /** Those that there are, in order. */
  readonly chunks: readonly number[];
  /** Null while there are chunks missing. */
  readonly digest: string | null;
}

/** Files that are brought one by one, until documents or operations take them. */
export interface UploadBatch {
  readonly id: string;
  /** By their index. */
  readonly files: readonly UploadedFile[];
}

const prefix = 'batchId-';

/** The id of a batch as clients know it. */
export const batchIdOf = (uuid: string): string => prefix + uuid;

/** What the database knows a batch by; undefined for what is the id of none. */
export function uuidOf(batchId: string): string | undefined {
  const uuid = batchId.slice(prefix.length).toLowerCase();
  return isUuid(uuid) && batchId === batchIdOf(uuid) ? uuid : undefined;
}

/** The number of a file, which is the caller's own; undefined for what is none. */
export const fileIndex = (text: string): number | undefined =>
  /^\d{1,10}$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined;

/** A row for each file of each batch, and one for a batch without files. */
const query: Query = {
  name: 'uploads',
  text: `
    SELECT b.id AS uuid, f.index, f.name, f.mime_type AS "mimeType", f.encoding, f.size::float8 AS size,
      f.chunk_count AS "chunkCount", f.digest,
      ARRAY(
        SELECT c.index FROM upload_chunk c WHERE c.batch_id = f.batch_id AND c.file_index = f.index ORDER BY c.index
      ) AS chunks
    FROM upload_batch b
    LEFT JOIN upload_file f ON f.batch_id = b.id AND ($3::int[] IS NULL OR f.index = ANY ($3::int[]))
    WHERE b.user_id = $1 AND b.id = ANY ($2::uuid[])
    ORDER BY b.id, f.index`,
};

type Row = { readonly uuid: string } & (UploadedFile | { readonly index: null });

/**
 * Batches of the caller, by the ids that clients know them by, in one statement; those of others are not there.
 * @param indexes the files that are wanted; all when absent.
 */
export const uploads =
  ({ db, user }: Scope) =>
  async (
    batchIds: readonly string[],
    indexes: readonly number[] | null = null,
  ): Promise<Map<string, UploadBatch>> => {
    const uuids = batchIds.map(uuidOf).filter((uuid) => uuid !== undefined);
    if (uuids.length === 0) return new Map();
    const files = new Map<string, UploadedFile[]>();
    for (const { uuid, ...file } of await db.query<Row>(query, [user.id, uuids, indexes])) {
      const batchId = batchIdOf(uuid);
      const before = files.get(batchId) ?? [];
      files.set(batchId, file.index === null ? before : [...before, { ...file, batchId }]);
    }
    return new Map([...files].map(([id, of]) => [id, { id, files: of }]));
  };
