import type { Model } from '../../model/model.ts';

/** Loads the query language for contributed page providers only. @throws ModelError on a faulty query. */
export async function requireSoundQueries(model: Model): Promise<void> {
  if (![...model.pageProviders.values()].some(({ file }) => file !== undefined)) return;
  const { requireValidProviders } = await import('../../query/providers/validate-providers.ts');
  requireValidProviders(model);
}
