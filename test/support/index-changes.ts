import type { Client } from '../../src/db/database.ts';
import { changesOfBatch, indexNextChanges } from '../../src/store/search/search-changes.ts';

/** Writes all changed documents to the search index, for tests that use a database without a server. */
export async function indexChanges(db: Pick<Client, 'query' | 'announce'>): Promise<void> {
  const limit = changesOfBatch;
  while ((await indexNextChanges(db, { lane: 'fast', limit })).hasMore);
  while ((await indexNextChanges(db, { lane: 'slow', limit })).hasMore);
}
