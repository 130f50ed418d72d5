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

/** Seconds to wait before each retry. Retries are for temporary conditions, which usually pass soon. */
const delays = [5, 30, 120] as const;

const unreadable = new Unavailable(
  'the request cannot be decrypted: TOKEN_KEY is another one than when it was sent; nothing was changed',
);
const cutOff = new Unavailable(
  'the processes that ran the execution ended before it did; nothing was changed',
);

/**
 * Returns the caller of an execution with its current permissions.
 * @throws Forbidden when the user's credentials were revoked after the call was sent
 */
async function callerOf(
  { config, database }: Services,
  userId: string,
  { credential, endedBefore }: NonNullable<PendingExecution['request']>,
): Promise<Principal> {
  const account = await accountOf(database, userId);
  if (!account || account.credentialsEndedAt?.getTime() !== endedBefore?.getTime())
    throw new Forbidden(
      `the credentials of ${userId} have ended since the call was sent; nothing was changed`,
    );
  return { ...principals(config.ADMIN_USERNAME)(account), ...(credential && { credential }), endedBefore };
}

/** Runs the call that an execution (§4.7) deferred. Its changes and its response are committed together, so it runs once. */
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
          log.error({ err: error, execution: execution.id }, 'an execution failed');
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
