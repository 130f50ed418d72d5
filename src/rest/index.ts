import type { Request, RequestHandler, Response } from 'express';
import { Forbidden, MethodNotAllowed, NotFound } from '../errors.ts';
import { yieldToEventLoop } from '../event-loop.ts';
import { currentUser, requesterOf } from '../http/identify.ts';
import { isGuest } from '../security/acl.ts';
import { operationRoute } from './automation/call-routes.ts';
import { createOperationCheck, createRightsCheck } from './automation/require-operation.ts';
import { createRouteCompiler, type RouteCompiler } from './compile-route.ts';
import { createEndpointMatcher, type Endpoint, type Parameters } from './endpoints.ts';
import { executionMutations } from './executions/executions.ts';
import { createCallRunner, type RunCall } from './executions/run-call.ts';
import { serveRouteAsync } from './executions/serve-async.ts';
import { createExplainer } from './explain/index.ts';
import type { Facade } from './facade.ts';
import { createSuggestion } from './near-misses.ts';
import { prefersExplain } from './request/headers.ts';
import { createBodyReceiver, noBody } from './request/receive.ts';
import { type CountSent, createSentBytes } from './request/sent-bytes.ts';
import { isLargeBody } from './rights-first.ts';
import { addressedOperation, type Route } from './route.ts';
import { routes } from './routes.ts';
import { type Serve, serveRoute } from './serve-route.ts';
import { serveUpload } from './uploads/serve-upload.ts';

/** Returns the path of a request for an error message, truncated to 500 characters. */
const addressOf = ({ baseUrl, path }: Request): string => `${baseUrl}${path}`.slice(0, 500);

/**
 * Creates an endpoint that dispatches by method, and responds with 405 to unsupported methods.
 * @param summaries what each method does, for the 405 message
 */
function endpointOf(
  path: string,
  handlers: ReadonlyMap<string, RequestHandler>,
  summaries: ReadonlyMap<string, string> = new Map(),
): Endpoint {
  const methods = [...handlers.keys()];
  const allowed = [...methods, 'OPTIONS'];
  if (handlers.has('GET')) allowed.push('HEAD');
  const calls = methods.map((method) => {
    const summary = summaries.get(method);
    return summary === undefined ? method : `${method} (${summary})`;
  });
  const handle: RequestHandler = (request, response, next) => {
    const handler = handlers.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (handler) return handler(request, response, next);
    if (request.method !== 'OPTIONS')
      throw new MethodNotAllowed(request.method, allowed, { at: `at ${addressOf(request)}`, calls });
    return response.set('Allow', allowed.join(', ')).status(204).end();
  };
  return { path, handle, methods };
}

// Responds with 404 to unknown adapters. A segment that starts with an unencoded "@" is always an adapter, never a
// part of the document's path.
const otherAdapters = (path: string, refuse: RequestHandler): Endpoint => ({
  path: `${path}/@:adapter{/*rest}`,
  handle: refuse,
});

/** @throws Forbidden if the caller is a guest and the route is not available to guests */
function requireForGuests(
  { forGuests }: Pick<Route, 'forGuests'>,
  request: Request,
  response: Response,
): void {
  if (!isGuest(currentUser(response).id)) return;
  // Guests can address documents only by id, because a path would reveal the folders above the document.
  if (forGuests && !request.path.startsWith('/path') && !prefersExplain(request)) return;
  throw new Forbidden(`Guests cannot use ${request.method} ${addressOf(request)}. Sign in with an account.`);
}

/** Routes with the same path. */
type Rows = readonly [Route, ...Route[]];

/**
 * Creates the endpoint for routes with the same path. If operations have separate routes at this path, the endpoint
 * of an operation is created when it is first requested, and cached. The number of operation names limits the size
 * of the cache.
 */
function withOperations(rows: Rows, endpointOfRows: (rows: Rows) => Endpoint): Endpoint {
  const endpoint = endpointOfRows(rows);
  if (!rows[0].ofOperation) return endpoint;
  const made = new Map<string, Endpoint>();
  const instead = ({ operation }: Parameters): Endpoint | undefined => {
    const name = String(operation);
    const known = made.get(name);
    if (known) return known;
    const [first, ...others] = rows.flatMap((row) => operationRoute(row, name) ?? []);
    if (!first) return undefined;
    const own = endpointOfRows([first, ...others]);
    made.set(name, own);
    return own;
  };
  return { ...endpoint, instead };
}

type RequestServer = (request: Request, response: Response) => Promise<unknown>;

interface Serving {
  readonly facade: Facade;
  readonly compile: RouteCompiler;
  readonly countSent: CountSent;
}

function createServing(parts: Serving): (row: Route, how: Serve) => RequestServer {
  const { facade, compile, countSent } = parts;
  const receive = createBodyReceiver(facade);
  const requireOperation = createOperationCheck(facade);
  const requireRights = createRightsCheck(facade);
  return (row, how) => {
    if (row.bodyForm === 'file') return serveUpload(row, { ...parts, receive });
    const answer = how(row, facade, compile);
    return async (request, response) => {
      if (row.operation === addressedOperation) await requireOperation(request, response);
      if (row.guard && isLargeBody(request)) await requireRights(row.guard, request, response);
      if (!row.body) return answer(request, response, noBody);
      const { user } = requesterOf(response);
      return countSent(user.id, facade.services.config.UPLOAD_QUOTA, async (sent) => {
        const received = await receive(row, request, response, sent);
        if (isLargeBody(request)) await yieldToEventLoop(); // Parsing the body has blocked the event loop.
        return answer(request, response, received);
      });
    };
  };
}

export interface Rest {
  readonly serve: RequestHandler;
  /** Runs the call of an asynchronous execution. */
  readonly runCall: RunCall;
}

/**
 * Serves every route in the table (§4). Responds with 405 to unsupported methods and with 404 to unknown paths,
 * including requests from browsers.
 * @param others additional GET handlers by path
 */
export function createRest(facade: Facade, others: Readonly<Record<string, RequestHandler>>): Rest {
  const compile = createRouteCompiler(facade);
  const executions = executionMutations(facade.schema);
  const serveAsync = serveRouteAsync(executions);
  const countSent = createSentBytes(facade.services.config.UPLOAD_QUOTA);
  const serving = createServing({ facade, compile, countSent });
  const explainer = createExplainer(facade, compile);
  const handlerOf = (row: Route, how = serveRoute): RequestHandler => {
    let serve: RequestServer | undefined;
    return (request, response) => {
      requireForGuests(row, request, response);
      if (!prefersExplain(request)) {
        serve ??= serving(row, how);
        return serve(request, response);
      }
      const servingTrial = (recorded: Facade) =>
        createServing({ facade: recorded, compile, countSent })(row, how);
      return explainer.explain(row, servingTrial)(request, response);
    };
  };
  const endpointAt = (rows: Rows): Endpoint => {
    const handlers = new Map(rows.map((row) => [row.method.toUpperCase(), handlerOf(row)]));
    const shown = rows.filter(({ isHidden }) => !isHidden);
    const summaries = new Map(shown.map((row) => [row.method.toUpperCase(), row.summary]));
    return endpointOf(rows[0].path, handlers, summaries);
  };
  const laterAt = ([row]: Rows): Endpoint =>
    endpointOf(`${row.path}/@async`, new Map([[row.method.toUpperCase(), handlerOf(row, serveAsync)]]));

  const byPath = new Map<string, Rows>();
  for (const row of routes) byPath.set(row.path, [...(byPath.get(row.path) ?? []), row] as const);
  const refuse: RequestHandler = (request) => {
    throw nothingAt(request);
  };
  const find = createEndpointMatcher([
    ...[...byPath].flatMap(([path, rows]) => {
      const place = withOperations(rows, endpointAt);
      const hasAdapters = byPath.has(`${path}/@children`) || path.endsWith('/*xpath');
      return hasAdapters ? [otherAdapters(path, refuse), place] : [place];
    }),
    ...routes.filter(({ operation }) => operation !== undefined).map((row) => withOperations([row], laterAt)),
    ...Object.entries(others).map(([path, handler]) => {
      const handle: RequestHandler = (request, response, next) => {
        requireForGuests({}, request, response);
        return handler(request, response, next);
      };
      return endpointOf(path, new Map([['GET', handle]]));
    }),
  ]);
  const visible = routes.filter(({ isHidden }) => !isHidden).map(({ path }) => path);
  const suggest = createSuggestion(visible, (path) => find(path)?.endpoint.methods);
  const nothingAt = (request: Request): NotFound => {
    const { baseUrl, method, path } = request;
    const meant = suggest(path);
    const [first] = meant?.methods ?? [];
    const how =
      first === undefined || meant?.methods.includes(method === 'HEAD' ? 'GET' : method) ? '' : `${first} `;
    const advice = meant ? ` Did you mean ${how}${baseUrl}${meant.path.slice(0, 500)}?` : '';
    return new NotFound(`There is no resource at ${addressOf(request)}.${advice}`);
  };
  const serve: RequestHandler = (request, response, next) => {
    const found = find(request.path);
    if (!found) throw nothingAt(request);
    const { endpoint, parameters } = found;
    request.params = parameters as Request['params'];
    request.route = endpoint;
    return endpoint.handle(request, response, next);
  };
  return { serve, runCall: createCallRunner(facade, compile, executions) };
}
