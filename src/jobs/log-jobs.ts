import type { Log } from '../services.ts';
import type { JobRunnerCallbacks } from './job-runner.ts';

export const logJobs = (log: Log): JobRunnerCallbacks => ({
  onDone: (kind, count) => log.debug({ kind, count }, 'A job was completed.'),
  onError: (kind, error, job) => log.error({ kind, job, err: error }, 'A job failed.'),
});
