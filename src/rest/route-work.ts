import { Invalid } from '../errors.ts';
import { yieldToEventLoop } from '../event-loop.ts';
import { type Principal, requireAdministrator } from '../security/principal.ts';
import type { RunGraphql } from '../selection/run.ts';
import { NestedEntities, resolveNested } from './answer/nested-entities.ts';
import type { RouteCompiler } from './compile-route.ts';
import type { ResponseShape } from './request/headers.ts';
import { type InputSource, inputValues } from './request/inputs.ts';
import type { ReceivedBody } from './request/receive.ts';
import { requirePermitted } from './rights-first.ts';
import type { Route } from './route.ts';

/** A request that an answer is made for, at once or later. */
export interface RouteCall {
  readonly source: InputSource;
  readonly received: ReceivedBody;
  readonly shape: ResponseShape;
  /** Whether unknown names are refused. */
  readonly isStrict: boolean;
  /** Whether other requests get a turn between the reading of the body and the work. */
  readonly isLarge?: boolean;
  /** Whether so many rows were read that other requests get a turn before they are rendered. */
  readonly hasLargeAnswer?: () => boolean;
  /** Whether the work is done after the answer. The fault of a body is then thrown at once. */
  readonly isDeferred?: boolean;
}

/** Resolves with the answer, to be rendered as JSON. */
export type RouteWork = (ask: RunGraphql) => Promise<{ readonly shown: unknown }>;

/** @throws Forbidden for an operation that only administrators can call. */
export function requireVisible(route: Route, user: Pick<Principal, 'id' | 'isAdministrator'>): void {
  if (route.operation !== undefined && route.isHidden) requireAdministrator(user, `call ${route.operation}`);
}

type Read = { readonly body: unknown } | { readonly fault: Invalid };

function readBody(route: Route, { received, isStrict }: RouteCall): Read {
  try {
    return { body: route.body?.(received.json, { ...received, isStrict }) };
  } catch (error) {
    if (error instanceof Invalid) return { fault: error };
    throw error;
  }
}

/**
 * The fault of a body is thrown by the work if the caller has the rights that the route asks for.
 * @throws Invalid for a faulty parameter, and for a faulty body of other routes.
 */
export function routeWork(route: Route, compile: RouteCompiler, given: RouteCall): RouteWork {
  const { source, received, shape } = given;
  const compiled = compile(route, shape);
  const read = readBody(route, given);
  if ('fault' in read) {
    const { guard } = route;
    const { permitted } = compiled;
    if (!guard || !permitted || given.isDeferred) throw read.fault;
    return async (ask) => {
      await requirePermitted(ask, permitted, guard, { source, json: received.json });
      throw read.fault;
    };
  }
  const { body } = read;
  const { listing } = compiled;
  const inputs = inputValues(compiled.operation, source, body);
  return async (ask) => {
    if (given.isLarge) await yieldToEventLoop();
    const nested = new NestedEntities();
    const listed = listing?.idsIn(await ask(listing.operation, inputValues(listing.operation, source, body)));
    const data = await ask(compiled.operation, listed ? { ...inputs, listed } : inputs);
    if (given.hasLargeAnswer?.()) await yieldToEventLoop();
    const shown = compiled.present(data, nested);
    await resolveNested(nested, compiled.nested, (operation, given) =>
      ask(operation, { ...inputValues(operation, source, body), ...given }),
    );
    return { shown };
  };
}
