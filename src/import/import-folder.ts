import { realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { batchReader } from './batches.ts';
import { dataFolderReason, type ImportEntry } from './entries.ts';
import { importBatch } from './import-batch.ts';
import { nameClaims } from './names.ts';
import { Skipped } from './skipped.ts';
import { createdIn, type ImportCounts, type ImportScope, type ImportState } from './state.ts';
import { statisticsKeeper } from './statistics.ts';

export interface ImportOptions {
  readonly onProgress?: (counts: ImportCounts) => void;
  readonly onSkipped?: (path: string, reason: string) => void;
  /** Ends the import after the batch at hand. */
  readonly signal?: AbortSignal;
}

/** The imported folder itself, which may be a symbolic link, unlike those below. */
async function rootEntry(given: string, parentId: string, { dataFolder }: ImportScope): Promise<ImportEntry> {
  const file = basename(given);
  const claim = nameClaims([file])(file);
  const path = await realpath(given);
  if (path === dataFolder) throw new Skipped(dataFolderReason);
  return { path, file, parentId, claim, stats: await stat(path) };
}

async function run(state: ImportState, first: ImportEntry, signal: AbortSignal | undefined): Promise<void> {
  const next = batchReader(state);
  const keepStatistics = statisticsKeeper(state.scope.database);
  for (let batch = [first]; batch.length > 0 && !signal?.aborted; batch = await next()) {
    await importBatch(state, batch);
    await keepStatistics(createdIn(state.counts));
  }
  await keepStatistics(createdIn(state.counts), true);
}

/**
 * Imports a folder of the file system, with everything below, as a child of a document. Documents that exist
 * are kept as they are, so that an interrupted import can be run again.
 * @param path absolute.
 * @param target the id of the document.
 * @returns the counts, also when the signal ended it.
 */
export async function importFolder(
  scope: ImportScope,
  { path, target }: { path: string; target: string },
  { onProgress, onSkipped, signal }: ImportOptions = {},
): Promise<ImportCounts> {
  const counts: ImportCounts = {
    created: { Folder: 0, File: 0, Note: 0, Picture: 0, Video: 0, Audio: 0 },
    kept: 0,
    skipped: 0,
    bytes: 0,
  };
  const skip = (skipped: string, reason: string) => {
    counts.skipped += 1;
    onSkipped?.(skipped, reason);
  };
  try {
    const state: ImportState = { scope, counts, skip, progress: () => onProgress?.(counts), pending: [] };
    await run(state, await rootEntry(path, target, scope), signal);
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    skip(path, error.message);
  }
  return counts;
}
