import { AppError, Forbidden, Unavailable } from '../../errors.ts';
import { accountOf } from '../../loaders/authorities/account.ts';
import type { LocalExecution } from '../../scope.ts';
import type { Principal } from '../../security/principal.ts';
import {
  executionJob,
  findPendingExecution,
  type PendingExecution,
} from '../../store/executions/begin-execution.ts';
import { failExecution } from '../../store/executions/executions.ts';
import type { TakenJob } from '../../store/queue/take-jobs.ts';
import type { JobKind } from '../job-runner.ts';
import type { CallersServices } from '../services.ts';

/** Seconds: what the server lacks for a moment is there again soon. */
const delays = [5, 30, 120] as const;

const unreadable = new Unavailable(
  'the request cannot be decrypted: TOKEN_KEY is another one than when it was sent; nothing was changed',
);
const cutOff = new Unavailable(
  'the processes that ran the execution ended before it did; nothing was changed',
);

/** The caller with the rights of now. @throws Forbidden when the credentials of the user have ended since. */
async function callerOf(
  { database, principalOf }: CallersServices,
  userId: string,
  { credential, endedBefore }: NonNullable<PendingExecution['request']>,
): Promise<Principal> {
  const account = await accountOf(database, userId);
  if (!account || account.credentialsEndedAt?.getTime() !== endedBefore?.getTime())
    throw new Forbidden(
      `the credentials of ${userId} have ended since the call was sent; nothing was changed`,
    );
  return { ...principalOf(account), ...(credential && { credential }), endedBefore };
}

/** Does what an execution (§4.7) deferred; its answer is committed with its work, so that it is done once. */
export function runExecution(services: CallersServices): JobKind {
  const { database, secrets, executing, runCall, log, executionsAtOnce } = services;
  const stores = { db: database, secrets };
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
    most: executionsAtOnce,
    delays,
    run: async (job, stopping) => {
      const execution = await findPendingExecution(stores, addressOf(job));
      if (!execution) return undefined;
      try {
        await perform(execution, stopping);
      } catch (error) {
        const isPassing = error instanceof Unavailable && job.attempts <= delays.length;
        if (stopping.aborted || isPassing) throw error;
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
