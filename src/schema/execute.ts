import { operations } from '../automation/index.ts';
import { isFor } from '../automation/operation.ts';
import { newMeter } from '../db/meter.ts';
import { AppError, NotFound } from '../errors.ts';
import type { Execute, Run } from '../operation.ts';
import { doneOnce } from '../store/done-once.ts';
import type { Executing } from '../store/executing.ts';
import { beginExecution, failExecution } from '../store/executions.ts';
import { inContext, type Services } from './run.ts';

/** Executes work asynchronously (§4.7): known to the database first, then done when its turn comes. */
export function createExecute(run: Run, executing: Executing, services: Services): Execute {
  const { database, secrets, log } = services;
  return async ({ once, ...caller }, { kind, operation }, work) => {
    const { user, options } = caller;
    const named = operations.find(({ id, aliases }) => id === operation || aliases?.includes(operation));
    if (!named || !isFor(named, user)) throw new NotFound(`there is no operation ${operation}`);
    executing.requireRoom();
    let isNew = false; // and not the one that a key stands for already
    const id = await inContext(services, caller, 'mutation', (context) => {
      const begin = () => {
        isNew = true;
        return beginExecution(context, operation);
      };
      return once ? doneOnce(context, once, begin) : begin();
    });
    const here = { id, operation, userId: user.id, repository: options.repository };
    const execute = async (signal: AbortSignal) => {
      try {
        await run({ ...caller, meter: newMeter(), execution: { id, signal } }, kind, work);
      } catch (error) {
        if (!(error instanceof AppError)) log.error({ err: error, execution: id }, 'an execution failed');
        await failExecution({ db: database, user, options, secrets }, id, error);
      }
    };
    if (isNew) executing.begin(here, execute);
    return id;
  };
}
