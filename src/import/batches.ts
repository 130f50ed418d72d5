import { longestNote } from '../model/notes.ts';
import { type Entry, entriesOf } from './entries.ts';
import type { State } from './state.ts';

/** Documents per transaction; fewer when their texts are long, since all of them are in memory at once. */
const batchSize = 200;
const batchBytes = 4 * longestNote;

/**
 * What an entry weighs in a batch: a text is kept in memory until the batch is written. A larger file is not,
 * but takes its time; a batch of them should not last for ever.
 */
function weight({ stats }: Entry): number {
  if (stats.isDirectory()) return 0;
  return stats.size <= longestNote ? stats.size : stats.size / 16;
}

/** The next entries whose folders are stored; a batch goes across folders, as most have few files. */
export function batches({ scope, skip, pending }: State): () => Promise<Entry[]> {
  let current: AsyncGenerator<Entry> | undefined;
  return async () => {
    const batch: Entry[] = [];
    for (let bytes = 0; batch.length < batchSize && bytes < batchBytes; ) {
      const folder = current ? undefined : pending.pop();
      current ??= folder && entriesOf(folder, { own: scope.dataFolder, skip });
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
