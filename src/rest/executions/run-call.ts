import { NotFound } from '../../errors.ts';
import type { Caller } from '../../selection/run.ts';
import { operationRoute } from '../automation/call-routes.ts';
import type { RouteCompiler } from '../compile-route.ts';
import type { Facade } from '../facade.ts';
import { restLinks } from '../links.ts';
import { addressedOperation, type Route } from '../route.ts';
import { requireVisible, routeWork } from '../route-work.ts';
import { routes } from '../routes.ts';
import { begunCommand, type executionMutations, toStoredResponse } from './executions.ts';
import { routeKey, type StoredCall } from './stored-call.ts';

/** Runs the call of an asynchronous execution and stores its response in the same transaction. */
export type RunCall = (
  execution: { readonly id: string; readonly call: unknown },
  caller: Pick<Caller, 'user' | 'meter' | 'signal'>,
) => Promise<void>;

export function createCallRunner(
  facade: Pick<Facade, 'run' | 'services'>,
  compile: RouteCompiler,
  { end }: Pick<ReturnType<typeof executionMutations>, 'end'>,
): RunCall {
  const rows = new Map(routes.map((row) => [routeKey(row), row]));
  const routeOf = (key: string): Route | undefined => {
    const at = key.lastIndexOf('/') + 1;
    const ofAny = rows.get(`${key.slice(0, at)}${addressedOperation}`);
    return rows.get(key) ?? (ofAny && operationRoute(ofAny, key.slice(at)));
  };
  return async ({ id, call }, caller) => {
    const { route: key, received, shape, options, isSilent, baseUrl, ...source } = call as StoredCall;
    const route = routeOf(key);
    if (!route) throw new NotFound(`The execution calls ${key}, which this release does not support.`);
    const { user } = caller;
    requireVisible(route, user);
    const work = routeWork(route, compile, { source, received, shape, isStrict: options.isStrict });
    const links = restLinks(baseUrl);
    const { kind, endsUploads } = route;
    await facade.run({ ...caller, endsUploads, options: { ...options, links } }, kind, async (ask) => {
      const { shown } = await work(ask);
      const responseOptions = { headers: { shape, options }, isSilent, userId: user.id };
      const answer = await toStoredResponse(route, responseOptions, { shown, blobs: facade.services.blobs });
      await ask(end, { id, answer, bulkCommand: begunCommand(shown) });
    });
  };
}
