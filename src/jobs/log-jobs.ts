import type { Log } from '../scope.ts';
import type { WorkerCallbacks } from './worker.ts';

export const logJobs = (log: Log): WorkerCallbacks => ({
  onDone: (kind, count) => log.debug({ kind, count }, 'a job is done'),
  onError: (kind, error, job) => log.error({ kind, job, err: error }, 'a job failed'),
});
