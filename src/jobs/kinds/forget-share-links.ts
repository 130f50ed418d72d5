import { AppError } from '../../errors.ts';
import { administrator } from '../../security/principal.ts';
import type { Services } from '../../services.ts';
import { deleteShareLink, endedShareLinks } from '../../store/shares/share-links.ts';
import type { CallerRuns } from '../caller-runs.ts';
import type { JobKind } from '../job-runner.ts';

const [hour, day] = [3_600, 86_400];

/** The number of days for which lists still show an expired link. */
const shownDays = 30;

/**
 * Deletes links that expired more than `shownDays` days ago, and their ACEs. Each link is deleted in a separate
 * transaction, because changing an ACL locks the document and its descendants.
 */
export const forgetShareLinks = ({ config, database, log }: Services, { runAs }: CallerRuns): JobKind => ({
  name: 'forget-share-links',
  maxConcurrent: 1,
  delays: [hour],
  every: day,
  run: async (_job, signal) => {
    let count = 0;
    for await (const { id, repository } of endedShareLinks(database, shownDays)) {
      signal.throwIfAborted();
      try {
        await runAs(administrator(config.ADMIN_USERNAME), repository)('mutation', (context) =>
          deleteShareLink(context, id),
        );
        count += 1;
      } catch (error) {
        // The link may have been deleted or its document moved in the meantime. The next run retries it if it exists.
        if (!(error instanceof AppError)) throw error;
        log.warn({ err: error, link: id }, 'An expired link could not be deleted.');
      }
    }
    return count;
  },
});
