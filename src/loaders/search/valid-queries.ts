import type { Model } from '../../model/model.ts';
import { requireAll } from '../../model/model-error.ts';

async function requireIndexes(model: Model): Promise<void> {
  if (model.indexes.size === 0) return;
  (await import('../../query/indexes/search-indexes.ts')).requireValidIndexes(model);
}

async function requireProviders(model: Model): Promise<void> {
  if (![...model.pageProviders.values()].some(({ file }) => file !== undefined)) return;
  (await import('../../query/providers/validate-providers.ts')).requireValidProviders(model);
}

/**
 * Checks the queries and search indexes that contributions add to the model. If there are no such contributions, the
 * modules of the query language are not loaded.
 * @throws ModelError for an invalid query, or for a property that cannot have an index
 */
export const requireValidQueries = (model: Model): Promise<void> =>
  requireAll([requireIndexes(model), requireProviders(model)]);
