import type { Request, Response } from 'express';
import { toOperation } from '../../selection/operation.ts';
import { call, input } from '../../selection/selection.ts';
import type { Facade } from '../facade.ts';
import { inputValues } from '../request/inputs.ts';
import { type Guard, permittedOperation, requirePermitted } from '../rights-first.ts';
import { callerAndHeaders } from '../serve-route.ts';

/**
 * Creates the function that checks the permission required by a route's guard. The function runs before a large body is
 * read and before errors in the body are reported.
 */
export function createRightsCheck(facade: Facade) {
  const permitted = permittedOperation(facade.schema);
  /**
   * @param json the body, if it has already been read
   * @throws NotFound, Forbidden
   */
  return async (guard: Guard, request: Request, response: Response, json?: unknown): Promise<void> => {
    const { caller } = callerAndHeaders(facade, request, response);
    // This runs on the primary, because a replica may not yet have a permission that has just been granted.
    await facade.run(caller, 'outsideTransaction', (ask) =>
      requirePermitted(ask, permitted, guard, { source: request, json }),
    );
  };
}

/** Creates the function that rejects a call to an unknown operation before its body, which can be large, is read. */
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
