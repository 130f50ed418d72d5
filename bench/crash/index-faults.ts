import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '../../src/db/database.ts';
import { compareIndex } from '../../src/store/search/compare-index.ts';
import { oldestChange } from '../../src/store/search/search-changes.ts';

/** The server may take so long to index what was committed, in milliseconds. */
const patience = 10_000;

/** The search index, once it has caught up, has what a rebuild would write. A server must be serving. */
export async function indexFaults(database: Database): Promise<string[]> {
  const end = performance.now() + patience;
  while ((await oldestChange(database)) !== undefined) {
    if (performance.now() > end) return [`the index is behind after ${patience / 1000} s`];
    await wait(50);
  }
  const signal = new AbortController().signal;
  const { mended } = await compareIndex(database, { isCheck: true, onProgress: () => {}, signal });
  return mended === 0 ? [] : [`${mended} rows of the search index differ from their documents`];
}
