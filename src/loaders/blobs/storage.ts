import { typed } from '../../db/columns.ts';
import { statement } from '../../db/statement.ts';
import type { Scope } from '../../scope.ts';

/** A part of the stored files. */
export interface StoredPart {
  readonly kind: 'all' | 'type' | 'workspace' | 'duplicate';
  /** The document type, the id of the workspace, or the digest; null for all files. */
  readonly key: string | null;
  /** The title of the workspace, or of one of the documents that contain a duplicated file. */
  readonly title: string | null;
  /** The number of different files; for a duplicated file, the number of documents that contain it. */
  readonly files: number;
  /** The total size in bytes. A file that several documents contain is stored and counted once. */
  readonly bytes: number;
  /** The ids of some of the documents that contain a duplicated file. */
  readonly documents: readonly string[] | null;
}

/** The storage that the files of a repository use, as counted by the last job. */
export interface StorageReport {
  /** The time of the count; null before the first one. */
  readonly countedAt: Date | null;
  /** Whether the files are being counted, or are about to be. */
  readonly isCounting: boolean;
  readonly parts: readonly StoredPart[];
}

const find = statement('storage-report', {
  countedAt: 'timestamptz?',
  parts: typed<readonly StoredPart[] | null>('jsonb?'),
  isCounting: 'bool',
})`
  SELECT r.counted_at AS "countedAt", r.parts,
    EXISTS (SELECT FROM job WHERE once = $2 AND (state = 'running' OR run_at <= now())) AS "isCounting"
  FROM (SELECT) one LEFT JOIN storage_report r ON r.repository = $1`;

/** The kind of job that counts the files, which runs once a day and on request. */
export const storageJob = 'count-storage';

/** Reads the latest count of the files of all documents. */
export async function storageReport({ db, options }: Scope): Promise<StorageReport> {
  const [row] = await db.query(find, [options.repository, storageJob]);
  return { countedAt: row?.countedAt ?? null, isCounting: row?.isCounting ?? false, parts: row?.parts ?? [] };
}
