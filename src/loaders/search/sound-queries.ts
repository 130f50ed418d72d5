import type { Model } from '../../model/model.ts';
import { requireAll } from '../../model/model-error.ts';

async function requireSoundIndexes(model: Model): Promise<void> {
  if (model.indexes.size === 0) return;
  (await import('../../query/indexes/search-indexes.ts')).requireValidIndexes(model);
}

async function requireSoundProviders(model: Model): Promise<void> {
  if (![...model.pageProviders.values()].some(({ file }) => file !== undefined)) return;
  (await import('../../query/providers/validate-providers.ts')).requireValidProviders(model);
}

/**
 * Loads the query language only where the model is contributed to.
 * @throws ModelError on a faulty query, and on a property that cannot have an index.
 */
export const requireSoundQueries = (model: Model): Promise<void> =>
  requireAll([requireSoundIndexes(model), requireSoundProviders(model)]);
