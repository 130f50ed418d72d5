import { textKeyBatchLoader } from '../../loaders/batch.ts';
import { ancestorsOf } from '../../loaders/directories/ancestors.ts';
import { entryKey, findEntries } from '../../loaders/directories/index.ts';
import type { EntryKey } from '../../loaders/directories/source.ts';
import type { PendingEntry } from '../../model/values/read-value.ts';
import type { Using, ValueScope } from '../../scope.ts';

/**
 * Replaces entities from hierarchical vocabularies in a request body with their stored form, such as `art/cinema`. The
 * number of statements depends on the number of levels in the vocabulary, not on the number of entities. An entity
 * whose entry does not exist is replaced with its id.
 */
export async function putHierarchicalValues(
  scope: Pick<ValueScope, 'db'> & Using<'secrets' | 'model'>,
  pending: readonly PendingEntry[],
): Promise<void> {
  const entries = textKeyBatchLoader(
    (keys: readonly EntryKey[]) => findEntries(scope, keys),
    entryKey,
    entryKey,
  );
  const climbing = { model: scope.services.model, find: (key: EntryKey) => entries.load(key) };
  await Promise.all(
    pending.map(async ({ directory, id, separator, put }) => {
      const entry = await climbing.find({ directory, id });
      const ancestors = entry ? await ancestorsOf(entry, climbing) : [];
      put([...ancestors.map((ancestor) => ancestor.id).reverse(), id].join(separator));
    }),
  );
}
