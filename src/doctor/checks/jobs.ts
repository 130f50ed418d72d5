import { indexDocumentJob } from '../../loaders/queue/jobs.ts';
import { jobDelay } from '../../store/probes/jobs.ts';
import { countJobs } from '../../store/queue/manage-jobs.ts';
import { durationText, foundIf, type HealthCheck } from '../check.ts';

/** The number of seconds that a job can be due without being run. */
const maxDelay = 600;

/** Checks that background jobs are run and succeed. The check of the search index covers its own jobs. */
export const jobsCheck: HealthCheck = {
  name: 'jobs',
  run: async ({ tables, isServing }) => {
    const db = await tables();
    const delay = await jobDelay(db);
    const failed = (await countJobs(db)).filter(
      ({ kind, state }) => state === 'set-aside' && kind !== indexDocumentJob,
    );
    return foundIf(
      ...failed.map(({ kind, count }) => ({
        level: 'fault' as const,
        problem: `${count} job${count === 1 ? '' : 's'} of the kind ${kind} failed repeatedly and ${count === 1 ? 'was' : 'were'} set aside.`,
        reason: 'What they should do, such as sending an email, has not been done.',
        remedy: 'See the errors under Administration, Jobs. Run the jobs again, or drop them.',
      })),
      delay > maxDelay && {
        level: isServing ? 'fault' : 'advice',
        problem: `A job has been due for ${durationText(delay)}.`,
        reason: 'Emails, webhooks and sweeps are delayed.',
        remedy: isServing
          ? 'Look for errors about jobs in the log of the servers.'
          : 'Start the server, which runs the jobs.',
      },
    );
  },
};
