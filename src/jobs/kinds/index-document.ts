import { indexDocumentJob } from '../../loaders/queue/jobs.ts';
import type { Services } from '../../services.ts';
import type { DocumentPlace } from '../../store/documents/document-place.ts';
import { filledKindsText } from '../../store/renditions/filled-kinds.ts';
import { lockSlowLane } from '../../store/row-locks/advisory-locks.ts';
import { typesWithText } from '../../store/search/file-words.ts';
import { indexDocumentAgain, NotIndexed, secondsOfDocument } from '../../store/search/search-changes.ts';
import { delaysOfDocument, faultOf, setAsideReason } from '../../store/search/set-aside.ts';
import { Final, type JobKind } from '../job-runner.ts';

/**
 * Indexes a document that was set aside because indexing it had failed. If indexing took too long, the document is
 * retried after a delay; otherwise, it is retried when an administrator requests it.
 */
export function indexDocument({
  database,
  model,
  jobConversions: conversions,
  wordAnalysis,
}: Services): JobKind {
  const { tools } = conversions;
  const types = {
    textTypes: typesWithText(tools),
    filledKinds: filledKindsText(model, tools),
    analysis: wordAnalysis,
  };
  return {
    name: indexDocumentJob,
    maxConcurrent: 1,
    delays: delaysOfDocument,
    run: async ({ payload }) => {
      try {
        await database.transaction(6 * secondsOfDocument, async (client) => {
          await lockSlowLane(client);
          await indexDocumentAgain(client, payload as DocumentPlace, types);
        });
      } catch (error) {
        if (!(error instanceof NotIndexed)) throw error;
        const { reason } = error;
        const fault = faultOf(reason);
        if (fault === 'data') throw new Final(setAsideReason(reason), { cause: reason });
        throw fault === 'time' ? new Error(setAsideReason(reason), { cause: reason }) : reason;
      }
      return 1;
    },
  };
}
