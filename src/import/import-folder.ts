import { realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { batches } from './batches.ts';
import { type Entry, isOwn } from './entries.ts';
import { importBatch } from './import-batch.ts';
import { claims } from './names.ts';
import { Skipped } from './skipped.ts';
import { createdIn, type ImportCounts, type ImportScope, type State } from './state.ts';
import { statisticsKeeper } from './statistics.ts';

export interface ImportWatch {
  readonly onProgress?: (counts: ImportCounts) => void;
  /** Told of everything that is not imported. */
  readonly onSkipped?: (path: string, reason: string) => void;
  /** Ends the import after the batch at hand. */
  readonly signal?: AbortSignal;
}

/** The folder itself; unlike those below, it may be reached through a symbolic link. */
async function rootEntry(given: string, parentId: string, { dataFolder }: ImportScope): Promise<Entry> {
  const file = basename(given);
  const claim = claims([file])(file);
  const path = await realpath(given);
  if (path === dataFolder) throw new Skipped(isOwn);
  return { path, file, parentId, claim, stats: await stat(path) };
}

async function run(state: State, first: Entry, signal: AbortSignal | undefined): Promise<void> {
  const next = batches(state);
  const keepStatistics = statisticsKeeper(state.scope.database);
  for (let batch = [first]; batch.length > 0 && !signal?.aborted; batch = await next()) {
    await importBatch(state, batch);
    await keepStatistics(createdIn(state.counts));
  }
  await keepStatistics(createdIn(state.counts), true);
}

/**
 * Imports a folder of the file system, with all that is below it, as a child of a document. What is there
 * already is kept as it is, so an import that was broken off can be done again.
 * @param path of the folder, absolute.
 * @param target id of the document.
 * @returns what was done, also when the signal ended it.
 */
export async function importFolder(
  scope: ImportScope,
  { path, target }: { path: string; target: string },
  { onProgress, onSkipped, signal }: ImportWatch = {},
): Promise<ImportCounts> {
  const counts: ImportCounts = { created: { Folder: 0, File: 0, Note: 0 }, kept: 0, skipped: 0, bytes: 0 };
  const skip = (skipped: string, reason: string) => {
    counts.skipped += 1;
    onSkipped?.(skipped, reason);
  };
  try {
    const state: State = { scope, counts, skip, progress: () => onProgress?.(counts), pending: [] };
    await run(state, await rootEntry(path, target, scope), signal);
  } catch (error) {
    if (!(error instanceof Skipped)) throw error;
    skip(path, error.message);
  }
  return counts;
}
