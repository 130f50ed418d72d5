import { AppError, Forbidden, Unavailable } from '../../errors.ts';
import { accountOf } from '../../loaders/authorities/account.ts';
import { type Principal, principals } from '../../security/principal.ts';
import type { LocalExecution, Services } from '../../services.ts';
import {
  executionJob,
  findPendingExecution,
  type PendingExecution,
} from '../../store/executions/begin-execution.ts';
import { failExecution } from '../../store/executions/executions.ts';
import type { TakenJob } from '../../store/queue/take-jobs.ts';
import type { CallerRuns } from '../caller-runs.ts';
import type { JobKind } from '../job-runner.ts';

/**
 * The number of seconds before each retry. Executions are retried after temporary errors, which usually do not last
 * long.
 */
const delays = [5, 30, 120] as const;

const unreadable = new Unavailable(
  'The request cannot be decrypted, because TOKEN_KEY has changed since it was sent. Nothing was changed.',
);
const cutOff = new Unavailable(
  'The server process ended during each attempt to run the execution. Nothing was changed.',
);

/**
 * Returns the caller of an execution with the caller's current permissions.
 * @throws Forbidden if the user's credentials were revoked after the call was sent
 */
async function callerOf(
  services: Services,
  userId: string,
  { credential, endedBefore }: NonNullable<PendingExecution['request']>,
): Promise<Principal> {
  const { config, database } = services;
  const account = await accountOf(database, userId, services);
  if (!account || account.credentialsEndedAt?.getTime() !== endedBefore?.getTime())
    throw new Forbidden(
      `The credentials of ${userId} were revoked after the call was sent. Nothing was changed.`,
    );
  return { ...principals(config.ADMIN_USERNAME)(account), ...(credential && { credential }), endedBefore };
}

/**
 * Runs the call that an execution (§4.7) has deferred. The changes that the call makes, its response and the completion
 * of the job are committed in one transaction, so the call takes effect exactly once.
 */
export function runExecution(services: Services, { runCall }: CallerRuns): JobKind {
  const { config, database, executing, log } = services;
  const stores = { db: database, services };
  const addressOf = ({ payload }: TakenJob) => payload as Pick<LocalExecution, 'repository' | 'id'>;

  const perform = async (
    { request, ...execution }: PendingExecution,
    stopping: AbortSignal,
  ): Promise<void> => {
    if (!request) return failExecution(stores, execution, unreadable);
    const user = await callerOf(services, execution.userId, request);
    await executing.run(execution, stopping, (signal) =>
      runCall({ id: execution.id, call: request.call }, user, signal),
    );
  };
  return {
    name: executionJob,
    maxConcurrent: Math.max(1, Math.floor(config.DATABASE_CONNECTIONS / 2)),
    delays,
    run: async (job, stopping) => {
      const execution = await findPendingExecution(stores, addressOf(job));
      if (!execution) return undefined;
      try {
        await perform(execution, stopping);
      } catch (error) {
        const isTemporary = error instanceof Unavailable && job.attempts <= delays.length;
        if (stopping.aborted || isTemporary) throw error;
        if (!(error instanceof AppError))
          log.error({ err: error, execution: execution.id }, 'An execution failed.');
        await failExecution(stores, execution, error);
      }
      return 1;
    },
    onSetAside: async (job) => {
      const execution = await findPendingExecution(stores, addressOf(job));
      if (execution) await failExecution(stores, execution, cutOff);
    },
  };
}
