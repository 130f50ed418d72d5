import type { Client } from '../../src/db/database.ts';
import { changesOfBatch, indexNextChanges } from '../../src/store/search/search-changes.ts';

/** Writes the rows of all changed documents into the search index, where no server does. */
export async function indexChanges(db: Pick<Client, 'query' | 'announce'>): Promise<void> {
  const limit = changesOfBatch;
  while ((await indexNextChanges(db, { lane: 'fast', limit })).hasMore);
  while ((await indexNextChanges(db, { lane: 'slow', limit })).hasMore);
}
