import { newMeter } from '../db/meter.ts';
import { AppError } from '../errors.ts';
import type { LocalExecution } from '../scope.ts';
import type { Caller, Run } from '../selection/run.ts';
import { failExecution } from '../store/executions/executions.ts';
import type { Services } from './run.ts';

/** Queues the deferred work of executions (§4.7); what it throws is kept as their outcome. */
export function queueExecutions(
  run: Run,
  { database, executing, secrets, log }: Services,
  { idempotentRequest: _, client: _answered, deferred, ...caller }: Caller,
  executions: readonly LocalExecution[],
): void {
  if (!deferred) return;
  const { user, options } = caller;
  for (const execution of executions) {
    const { id } = execution;
    executing.begin(execution, async (signal) => {
      try {
        await run({ ...caller, meter: newMeter(), signal }, deferred.kind, (ask) => deferred.work(ask, id));
      } catch (error) {
        if (!(error instanceof AppError)) log.error({ err: error, execution: id }, 'an execution failed');
        await failExecution({ db: database, user, options, secrets }, id, error);
      }
    });
  }
}
