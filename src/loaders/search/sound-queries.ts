import type { Model } from '../../model/model.ts';

/**
 * Loads the query language only where the model is contributed to.
 * @throws ModelError on a faulty query, and on a property that cannot have an index.
 */
export async function requireSoundQueries(model: Model): Promise<void> {
  if (model.indexes.size > 0)
    (await import('../../query/indexes/search-indexes.ts')).requireValidIndexes(model);
  if (![...model.pageProviders.values()].some(({ file }) => file !== undefined)) return;
  const { requireValidProviders } = await import('../../query/providers/validate-providers.ts');
  requireValidProviders(model);
}
