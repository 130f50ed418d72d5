import type { Request, Response } from 'express';
import { toOperation } from '../../selection/operation.ts';
import { call, input } from '../../selection/selection.ts';
import type { Facade } from '../facade.ts';
import { inputValues } from '../request/inputs.ts';
import { type Guard, permittedOperation, requirePermitted } from '../rights-first.ts';
import { callerAndHeaders } from '../serve-route.ts';

/** Refuses a caller without the rights that a route asks for, before a large body is read or a faulty one is described. */
export function createRightsCheck(facade: Facade) {
  const permitted = permittedOperation(facade.schema);
  /**
   * @param json the body, if it was read
   * @throws NotFound, Forbidden
   */
  return async (guard: Guard, request: Request, response: Response, json?: unknown): Promise<void> => {
    const { caller } = callerAndHeaders(facade, request, response);
    // Not on a replica, which may not have the grant of a moment ago.
    await facade.run(caller, 'outsideTransaction', (ask) =>
      requirePermitted(ask, permitted, guard, { source: request, json }),
    );
  };
}

/** Refuses a call of what does not exist before its body is read, which may be large. */
export function createOperationCheck(facade: Facade) {
  const found = toOperation(facade.schema, 'query', {
    operation: call({ id: input('address.operation') }, { id: true }),
  });
  /** @throws NotFound, NotServed */
  return async (request: Request, response: Response): Promise<void> => {
    const { caller } = callerAndHeaders(facade, request, response);
    await facade.run(caller, 'query', (ask) => ask(found, inputValues(found, request, undefined)));
  };
}
