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

/**
 * The parts of a request that determine its response. The call of an asynchronous execution is stored in this form
 * until it runs.
 */
export interface RouteCall {
  readonly source: InputSource;
  readonly received: ReceivedBody;
  readonly shape: ResponseShape;
  /** Whether unknown names are rejected (`Prefer: handling=strict`). */
  readonly isStrict: boolean;
  /** Whether the body is so large that other requests are processed before it. */
  readonly isLarge?: boolean;
  /** Returns whether so many rows were read that other requests are processed before the response is rendered. */
  readonly hasLargeAnswer?: () => boolean;
  /** Whether the call runs after the response has been sent. An invalid body is rejected before that. */
  readonly isDeferred?: boolean;
}

/** Runs the GraphQL operations of a request and resolves with the value to be sent as JSON. */
export type RouteWork = (ask: RunGraphql) => Promise<{ readonly shown: unknown }>;

/** @throws Forbidden if only administrators can call the operation */
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
 * Prepares the processing of a request. If the route has a guard, an invalid body is reported only after the
 * permission check, so that the message reveals nothing to callers without the permission.
 * @throws Invalid if a parameter is invalid, or if the body is invalid and the route has no guard
 */
export function routeWork(route: Route, compile: RouteCompiler, routeCall: RouteCall): RouteWork {
  const { source, received, shape } = routeCall;
  const compiled = compile(route, shape);
  const read = readBody(route, routeCall);
  if ('fault' in read) {
    const { guard } = route;
    const { permitted } = compiled;
    if (!guard || !permitted || routeCall.isDeferred) throw read.fault;
    return async (ask) => {
      await requirePermitted(ask, permitted, guard, { source, json: received.json });
      throw read.fault;
    };
  }
  const { body } = read;
  const { listing } = compiled;
  const inputs = inputValues(compiled.operation, source, body);
  return async (ask) => {
    if (routeCall.isLarge) await yieldToEventLoop();
    const nested = new NestedEntities();
    const listed = listing?.idsIn(await ask(listing.operation, inputValues(listing.operation, source, body)));
    const data = await ask(compiled.operation, listed ? { ...inputs, listed } : inputs);
    if (routeCall.hasLargeAnswer?.()) await yieldToEventLoop();
    const shown = compiled.present(data, nested);
    await resolveNested(nested, compiled.nested, (operation, ids) =>
      ask(operation, { ...inputValues(operation, source, body), ...ids }),
    );
    return { shown };
  };
}
