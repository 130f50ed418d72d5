import { entryKey, findEntries } from '../../loaders/directories/index.ts';
import type { EntryKey, StoredEntry } from '../../loaders/directories/source.ts';
import type { PendingEntry } from '../../model/values/read-value.ts';
import type { ValueScope } from '../../scope.ts';

/** More levels than vocabularies have; it also ends the climb where entries are their own ancestors. */
const maxAncestors = 16;

const parentOf = ({ model }: Pick<ValueScope, 'model'>, entry: StoredEntry): EntryKey | undefined => {
  const directory = model.directories.get(entry.directory)?.parent;
  const { parent: id } = entry.properties;
  return directory === undefined || typeof id !== 'string' || id === '' ? undefined : { directory, id };
};

/**
 * Puts whole values, such as `art/cinema`, where a body has entities of hierarchical vocabularies. It takes a statement
 * for each level of the vocabulary, whatever the number of entities. An entity whose entry does not exist keeps its id.
 */
export async function putHierarchicalValues(
  scope: Pick<ValueScope, 'db' | 'secrets' | 'model'>,
  pending: readonly PendingEntry[],
): Promise<void> {
  const known = new Map<string, StoredEntry>();
  let missing: EntryKey[] = pending.map(({ directory, id }) => ({ directory, id }));
  for (let level = 0; level < maxAncestors && missing.length > 0; level += 1) {
    const found = await findEntries(scope, missing);
    for (const entry of found) known.set(entryKey(entry), entry);
    missing = found
      .map((entry) => parentOf(scope, entry))
      .filter((key) => key !== undefined && !known.has(entryKey(key))) as EntryKey[];
  }
  for (const { directory, id, separator, put } of pending) {
    const ids: string[] = [];
    let next: EntryKey | undefined = { directory, id };
    while (next && ids.length <= maxAncestors) {
      ids.unshift(next.id);
      const entry = known.get(entryKey(next));
      next = entry && parentOf(scope, entry);
    }
    put(ids.join(separator));
  }
}
