import type { Request, Response } from 'express';
import { toOperation } from '../../selection/operation.ts';
import { call, input } from '../../selection/selection.ts';
import { inputValues } from '../request/inputs.ts';
import { callerAndHeaders, type RestServices } from '../serve-route.ts';

/** Refuses a call of what does not exist before its body is read, which may be large. */
export function createOperationCheck(services: RestServices) {
  const found = toOperation(services.schema, 'query', {
    operation: call({ id: input('address.operation') }, { id: true }),
  });
  /** @throws NotFound, NotServed */
  return async (request: Request, response: Response): Promise<void> => {
    const { caller } = callerAndHeaders(services, request, response);
    await services.run(caller, 'query', (ask) => ask(found, inputValues(found, request, undefined)));
  };
}
