import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../src/db/database.ts';
import { oldestChange } from '../../src/store/search/search-changes.ts';

/** The server may take so long to index what was committed, in milliseconds. */
const patience = 10_000;

/** Whether the search index catches up in time. A server must be serving. */
export async function isCaughtUp(database: Database): Promise<boolean> {
  const end = performance.now() + patience;
  while ((await oldestChange(database)) !== undefined) {
    if (performance.now() > end) return false;
    await wait(50);
  }
  return true;
}
