import { readableBytes } from '../import/report.ts';
import { type Manifest, rowsIn } from './format.ts';

/**
 * The numbers of rows, blobs and bytes that have been written or restored so far, together with their totals.
 */
interface BackupCounts {
  readonly rows: number;
  readonly blobs: number;
  readonly bytes: number;
  readonly of: { readonly rows: number; readonly blobs: number; readonly bytes: number };
}

export const summaryOf = ({ rows, blobs, bytes }: Pick<BackupCounts, 'rows' | 'blobs' | 'bytes'>): string =>
  `${rows} rows, ${blobs} blobs of ${readableBytes(bytes)}`;

export interface BackupOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (counts: BackupCounts) => void;
}

export interface BackupReport extends BackupCounts {
  /** The digests of missing blobs that rows refer to. */
  readonly missing: readonly string[];
}

/** Counts the progress of a backup or restore. */
export interface Counter {
  rows(count: number): void;
  blob(bytes: number): void;
  now(): BackupCounts;
}

export function counter(manifest: Manifest, onProgress: BackupOptions['onProgress']): Counter {
  const of = { rows: rowsIn(manifest), blobs: manifest.blobs.count, bytes: manifest.blobs.bytes };
  const counts = { rows: 0, blobs: 0, bytes: 0, of };
  return {
    rows: (count) => {
      counts.rows += count;
      onProgress(counts);
    },
    blob: (bytes) => {
      counts.blobs += 1;
      counts.bytes += bytes;
      onProgress(counts);
    },
    now: () => ({ ...counts }),
  };
}
