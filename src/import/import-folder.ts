import { realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { maxNoteBytes } from '../model/notes.ts';
import { dataFolderReason, entriesOf, type ImportEntry } from './entries.ts';
import { importBatch } from './import-batch.ts';
import { nameClaims } from './names.ts';
import { Skipped } from './skipped.ts';
import { createdIn, type ImportContext, type ImportCounts, type ImportState } from './state.ts';
import { statisticsKeeper } from './statistics.ts';

/** The limits of a batch, which is one transaction, and whose texts are all in memory. */
const batchSize = 200;
const batchBytes = 4 * maxNoteBytes;

// The weight of an entry in its batch: the size of a text, which is in memory; a fraction of the size of a larger
// file, so that a batch of large files does not take too long.
function weight({ stats }: ImportEntry): number {
  if (stats.isDirectory()) return 0;
  return stats.size <= maxNoteBytes ? stats.size : stats.size / 16;
}

/** Reads batches of entries of pending folders. A batch can span several folders, because most have few files. */
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
  /** Ends the import after the current batch. */
  readonly signal?: AbortSignal;
}

/** The entry of the imported folder itself. Unlike folders below it, it can be a symbolic link. */
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
 * Imports a folder of the file system, with everything below it, as a child of a document. Existing documents are left
 * unchanged, so that an interrupted import can be repeated.
 * @param path the absolute path of the folder.
 * @param target the id of the document.
 * @returns the counts, also if the signal has ended the import.
 */
export async function importFolder(
  context: ImportContext,
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
    const state: ImportState = { context, counts, skip, progress: () => onProgress?.(counts), pending: [] };
    await run(state, await rootEntry(path, target, context), signal);
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    skip(path, error.message);
  }
  return counts;
}
