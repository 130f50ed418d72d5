import type { Services } from '../../services.ts';
import { type ResetRequest, resetJob, sendReset } from '../../store/authorities/password-resets.ts';
import { finishJob } from '../../store/queue/take-jobs.ts';
import type { JobKind } from '../job-runner.ts';

/** The number of seconds before each retry. After the last retry, the link would arrive too late. */
const delays = [10, 60, 300] as const;

/** Sends emails with links for resetting forgotten passwords. */
export const sendResets = (services: Services): JobKind => ({
  name: resetJob,
  maxConcurrent: 1,
  delays,
  run: (job) =>
    services.database.transaction(services.config.TRANSACTION_TIMEOUT, async (db) => {
      const isSent = await sendReset({ db, services }, job.payload as ResetRequest);
      await finishJob(db, job); // in the transaction that queues the email, so that no retry sends it twice
      return isSent ? 1 : 0;
    }),
});
