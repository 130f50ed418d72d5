import { realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { maxNoteBytes } from '../model/notes.ts';
import { dataFolderReason, entriesOf, type ImportEntry } from './entries.ts';
import { importBatch } from './import-batch.ts';
import { nameClaims } from './names.ts';
import { Skipped } from './skipped.ts';
import { createdIn, type ImportContext, type ImportCounts, type ImportState } from './state.ts';
import { statisticsKeeper } from './statistics.ts';

/**
 * The maximum number of entries in a batch, and their maximum total weight. A batch is written in one transaction, and
 * all of its text files are in memory at the same time.
 */
const batchSize = 200;
const batchBytes = 4 * maxNoteBytes;

// Returns the weight of an entry in its batch. A text file is held in memory, so its weight is its size. A larger file
// weighs only a fraction of its size, which still keeps a batch of large files from taking too long.
function weight({ stats }: ImportEntry): number {
  if (stats.isDirectory()) return 0;
  return stats.size <= maxNoteBytes ? stats.size : stats.size / 16;
}

/**
 * Returns a function that reads the next batch of entries from the pending folders. A batch can span several folders,
 * because most folders contain few files.
 */
function batchReader({ context, skip, pending }: ImportState): () => Promise<ImportEntry[]> {
  let current: AsyncGenerator<ImportEntry> | undefined;
  return async () => {
    const batch: ImportEntry[] = [];
    for (let bytes = 0; batch.length < batchSize && bytes < batchBytes; ) {
      const folder = current ? undefined : pending.pop();
      current ??= folder && entriesOf(folder, { dataFolder: context.dataFolder, skip });
      if (!current) break;
      const { value, done } = await current.next();
      if (done) current = undefined;
      else {
        batch.push(value);
        bytes += weight(value);
      }
    }
    return batch;
  };
}

export interface ImportOptions {
  readonly onProgress?: (counts: ImportCounts) => void;
  readonly onSkipped?: (path: string, reason: string) => void;
  /** Stops the import after the current batch. */
  readonly signal?: AbortSignal;
}

/**
 * Returns the entry for the imported folder itself. Unlike the folders below it, this folder can be a symbolic link.
 */
async function rootEntry(
  folder: string,
  parentId: string,
  { dataFolder }: ImportContext,
): Promise<ImportEntry> {
  const file = basename(folder);
  const claim = nameClaims([file])(file);
  const path = await realpath(folder);
  if (path === dataFolder) throw new Skipped(dataFolderReason);
  return { path, file, parentId, claim, stats: await stat(path) };
}

async function run(state: ImportState, first: ImportEntry, signal: AbortSignal | undefined): Promise<void> {
  const next = batchReader(state);
  const keepStatistics = statisticsKeeper(state.context.database);
  for (let batch = [first]; batch.length > 0 && !signal?.aborted; batch = await next()) {
    await importBatch(state, batch);
    await keepStatistics(createdIn(state.counts));
  }
  await keepStatistics(createdIn(state.counts), true);
}

/**
 * Imports a folder of the file system, including everything below it, as a child of a document. Existing documents are
 * not changed, so an interrupted import can be repeated.
 * @param path the absolute path of the folder.
 * @param target the id of the document to which the folder is added.
 * @returns the counts, even if the import was stopped by the signal.
 */
export async function importFolder(
  context: ImportContext,
  { path, target }: { path: string; target: string },
  { onProgress, onSkipped, signal }: ImportOptions = {},
): Promise<ImportCounts> {
  const counts: ImportCounts = {
    created: { Folder: 0, File: 0, Note: 0, Picture: 0, Video: 0, Audio: 0 },
    existing: 0,
    skipped: 0,
    bytes: 0,
  };
  const skip = (skipped: string, reason: string) => {
    counts.skipped += 1;
    onSkipped?.(skipped, reason);
  };
  try {
    const state: ImportState = { context, counts, skip, progress: () => onProgress?.(counts), pending: [] };
    await run(state, await rootEntry(path, target, context), signal);
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    skip(path, error.message);
  }
  return counts;
}
