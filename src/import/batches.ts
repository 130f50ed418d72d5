import { maxNoteBytes } from '../model/notes.ts';
import { entriesOf, type ImportEntry } from './entries.ts';
import type { ImportState } from './state.ts';

/** Limits of a transaction: all its texts are in memory at once. */
const batchSize = 200;
const batchBytes = 4 * maxNoteBytes;

// A text counts with its bytes. A larger file is not in memory, but takes time: a batch of them must end too.
function weight({ stats }: ImportEntry): number {
  if (stats.isDirectory()) return 0;
  return stats.size <= maxNoteBytes ? stats.size : stats.size / 16;
}

/** Reads entries of stored folders. A batch goes across folders, since most have few files. */
export function batchReader({ scope, skip, pending }: ImportState): () => Promise<ImportEntry[]> {
  let current: AsyncGenerator<ImportEntry> | undefined;
  return async () => {
    const batch: ImportEntry[] = [];
    for (let bytes = 0; batch.length < batchSize && bytes < batchBytes; ) {
      const folder = current ? undefined : pending.pop();
      current ??= folder && entriesOf(folder, { dataFolder: scope.dataFolder, skip });
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
