import { statement } from '../../src/db/statement.ts';
import { fillingJob } from '../../src/store/renditions/filling-jobs.ts';
import { fileWordsJob } from '../../src/store/search/file-words.ts';
import type { TestServer } from './server.ts';
import { until } from './until.ts';

/**
 * Counts pending index changes and jobs in one statement, so that both counts come from the same snapshot. Otherwise,
 * work could be missed: indexing a document enqueues jobs, and these jobs mark documents for indexing again.
 */
const open = statement('files-not-settled', { count: 'int4' })`
  SELECT (SELECT count(*) FROM search_change)::int
    + (SELECT count(*) FROM job WHERE kind IN ('${fileWordsJob}', '${fillingJob}') AND state <> 'set-aside')::int AS count`;

/** Waits until the text of all files has been indexed and all picture views have been generated. */
export const settledFiles = ({ searchIndex, database }: TestServer): Promise<void> =>
  until(async () => {
    const end = performance.now() + 10_000;
    await searchIndex.findsAll(database, { end, isOver: () => performance.now() >= end });
    const [found] = await database.query(open, []);
    return found?.count === 0;
  });
