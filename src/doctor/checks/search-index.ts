import { indexDocumentJob } from '../../loaders/queue/jobs.ts';
import { indexDelay, maxIndexDelay } from '../../store/probes/search-index.ts';
import { countJobs } from '../../store/queue/manage-jobs.ts';
import { isIndexCurrent } from '../../store/search/index-analysis.ts';
import { durationText, foundIf, type HealthCheck } from '../check.ts';

/** Checks that searches find all documents. `quire check index` compares the index with the documents. */
export const searchIndexCheck: HealthCheck = {
  name: 'search-index',
  opens: {
    wordAnalysis: {
      reason: 'The server does not start with an unknown language.',
      remedy: 'Set SEARCH_LANGUAGE to one of these languages.',
    },
  },
  run: async ({ tables, wordAnalysis, isServing }) => {
    const analysis = await wordAnalysis();
    const db = await tables();
    const delay = await indexDelay(db);
    const isCurrent = await isIndexCurrent(db, analysis);
    const counts = await countJobs(db);
    const omitted = counts.find(({ kind }) => kind === indexDocumentJob)?.count ?? 0;
    return foundIf(
      delay > maxIndexDelay && {
        level: isServing ? 'fault' : 'advice',
        problem: `The search index is ${durationText(delay)} behind.`,
        reason: 'Searches do not find recent changes.',
        remedy: isServing
          ? 'Look for errors about the search index in the log of the servers.'
          : 'Start the server, which updates the index.',
      },
      !isCurrent && {
        level: 'advice',
        problem: 'The search index was built with another SEARCH_LANGUAGE or an older release.',
        reason: 'Searches find only words on which both agree.',
        remedy: 'Wait until the running server has rebuilt the index, or run `npx quire reindex`.',
      },
      omitted > 0 && {
        level: 'fault',
        problem: `${omitted} document${omitted === 1 ? '' : 's'} could not be indexed.`,
        reason: 'Searches do not find them.',
        remedy: 'See the reason under Administration, Jobs, and run the jobs again.',
      },
    );
  },
};
