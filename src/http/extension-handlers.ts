import { type RequestHandler, Router } from 'express';
import type { RequestWork } from '../extension.ts';
import { guarded, inExtension } from '../extensions/guarded.ts';
import { extensions, type LoadedExtension } from '../extensions/loaded.ts';
import type { Scope } from '../scope.ts';
import type { OperationKind } from '../selection/operation.ts';
import type { Caller } from '../selection/run.ts';
import type { Services } from '../services.ts';
import { identifyAt } from './protected-resource.ts';

interface Handling {
  readonly services: Services;
  /** Authenticates a request. */
  readonly identified: RequestHandler;
  readonly callerOf: (...of: Parameters<RequestHandler>) => Caller;
  /** Runs a function on behalf of a caller. */
  readonly run: <T>(
    services: Services,
    caller: Caller,
    kind: OperationKind,
    work: (scope: Scope) => Promise<T>,
  ) => Promise<T>;
}

function workOf(
  { services, run }: Handling,
  caller: Caller,
  { extension, part }: { readonly extension: LoadedExtension; readonly part: string },
): RequestWork {
  const running =
    (kind: OperationKind): RequestWork['read'] =>
    (work) =>
      run(services, caller, kind, (scope) => inExtension(scope, { extension, part }, work));
  return { read: running('query'), write: running('mutation') };
}

/** Serves the paths whose requests extensions handle. */
export function extensionHandlers(handling: Handling): RequestHandler {
  const { services, identified, callerOf } = handling;
  const router = Router({ caseSensitive: true });
  for (const extension of extensions())
    for (const { path, access, oauth, handle } of extension.handlers ?? []) {
      const part = { extension, part: `the handler of ${path}`, isLong: true, log: services.log };
      const isOfUsers = access === 'users';
      const handler: RequestHandler = (request, response, next) =>
        guarded(part, () => {
          const work = isOfUsers ? workOf(handling, callerOf(request, response, next), part) : null;
          return handle(request, response, work);
        });
      const hasTokens = oauth && services.config.AUTH_CHAIN.includes('oauth2');
      const identifying = hasTokens ? identifyAt(path, identified, services.config) : identified;
      router.use(path, ...(isOfUsers ? [identifying, handler] : [handler]));
    }
  return router;
}
