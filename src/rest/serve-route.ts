import type { Request, Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import Negotiator from 'negotiator';
import type { BlobStore } from '../blobs/blob-store.ts';
import { NotAcceptable, NotFound } from '../errors.ts';
import type { Principal } from '../security/principal.ts';
import type { Forms } from '../selection/compatibility.ts';
import type { Caller, DeferredWork, Run, RunGraphql } from '../selection/run.ts';
import { wantsCsv } from './answer/csv.ts';
import { applyETag } from './answer/etag.ts';
import { NestedEntities, resolveNested } from './answer/nested-entities.ts';
import { type FileDownload, sendResponse, toCsvBody, toResponseBody } from './answer/send-response.ts';
import { yieldToEventLoop } from './answer/write-json.ts';
import type { RouteCompiler } from './compile-route.ts';
import { type executionMutations, requestUrl, toStoredResponse } from './executions/executions.ts';
import { restLinks } from './links.ts';
import {
  type ContributedNames,
  openListHeaders,
  parseHeaders,
  type RequestHeaders,
} from './request/headers.ts';
import { idempotentRequestOf } from './request/idempotency.ts';
import { inputValues } from './request/inputs.ts';
import type { ReceivedBody } from './request/receive.ts';
import { addressedOperation, isJsonOnly, type Route } from './route.ts';

export interface RestServices {
  readonly schema: GraphQLSchema;
  readonly run: Run;
  readonly blobs: BlobStore;
  readonly contributed: ContributedNames;
  readonly forms: Forms;
  readonly repositories: readonly string[];
  readonly bodyLimit: number;
  readonly uploadLimit: number;
  readonly uploadQuota: number;
  /** The authenticated caller of a request and its statement meter. */
  readonly requesterOf: (response: Response) => Pick<Caller, 'user' | 'meter' | 'client'>;
  /** The address of `/api/v1` as the client reaches it. */
  readonly baseUrlOf: (request: Request) => string;

  readonly onAnswer: (response: Response, milliseconds: number) => void;

  readonly onDownload: (user: Principal, sent: FileDownload) => void;
}

const vary = [
  'Accept',
  'Authorization',
  'X-Authentication-Token',
  'Repository',
  'depth',
  'properties',
  'Prefer',
  'skipAggregates',
  ...openListHeaders,
].join(', ');

/** Adds to a `Vary` that is already set, and names shaping headers in the request's own spelling too. */
function setVary(response: Response, shapedBy: readonly string[]): void {
  const before = response.getHeader('Vary');
  const names = before ? `${before}, ${vary}` : vary;
  response.setHeader('Vary', shapedBy.length > 0 ? `${names}, ${shapedBy.join(', ')}` : names);
}

const isJson = (type: string): boolean =>
  /^application\/(json|\*|[\w.-]+\+json|json\+[\w.-]+)$|^\*\/\*$/.test(type);

/** @throws NotAcceptable when `Accept` excludes JSON. */
function requireAcceptable(request: Request): void {
  if (request.headers.accept === undefined || request.accepts('application/json')) return;
  if (!new Negotiator(request).mediaTypes().some(isJson))
    throw new NotAcceptable('only application/json is served here');
}

/** §9: `/repo/NAME` wins over the header, and the header over the query parameter. @throws NotFound */
function repositoryOf(request: Request, named: string | undefined, repositories: readonly string[]): string {
  const repository = [request.params.repository].flat()[0] ?? named ?? repositories[0] ?? 'default';
  if (!repositories.includes(repository)) throw new NotFound(`the repository ${repository} does not exist`);
  return repository;
}

// Milliseconds. An answer that took longer is probably large: other requests get a turn before it is
// rendered.
const slowAnswer = 25;

export interface ParsedRequest {
  readonly caller: Caller;
  readonly headers: RequestHeaders;
  /** A success is 204 without a body. */
  readonly isSilent: boolean;
  readonly isCsv: boolean;
  readonly work: (ask: RunGraphql) => Promise<{ readonly shown: unknown }>;
}

export function callerAndHeaders(
  services: RestServices,
  request: Request,
  response: Response,
): { caller: Caller; headers: RequestHeaders } {
  const headers = parseHeaders(request, services.contributed);
  const options = {
    ...headers.options,
    repository: repositoryOf(request, headers.options.repository, services.repositories),
    links: restLinks(services.baseUrlOf(request)),
    address: request.ip ?? '',
  };
  return { caller: { ...services.requesterOf(response), options }, headers };
}

/** @throws Invalid, NotAcceptable, NotFound */
function parseRequest(
  route: Route,
  { services, operations }: { services: RestServices; operations: RouteCompiler },
  { request, response, received }: { request: Request; response: Response; received: ReceivedBody },
): ParsedRequest {
  const { caller, headers } = callerAndHeaders(services, request, response);
  if (route.operation !== undefined && route.isForAdministrators && !caller.user.isAdministrator)
    throw new NotFound(`there is no operation ${route.operation}`);
  const isSilent = route.status === 204 || (headers.isVoid && route.method !== 'get');
  const isCsv = wantsCsv(request, route);
  if (isJsonOnly(route) && !isSilent && !isCsv) requireAcceptable(request);
  const body = route.body?.(received.json, { ...received, isStrict: headers.options.isStrict });
  const once = route.kind !== 'query' ? idempotentRequestOf(request, headers, received) : undefined;
  if (once) response.setHeader('Idempotency-Key', once.key);
  const compiled = operations(route, headers.shape);
  const { listing } = compiled;
  const inputs = inputValues(compiled.operation, request, body);
  const work = async (ask: RunGraphql) => {
    const start = performance.now();
    const nested = new NestedEntities();
    const listed = listing?.idsIn(
      await ask(listing.operation, inputValues(listing.operation, request, body)),
    );
    const data = await ask(compiled.operation, listed ? { ...inputs, listed } : inputs);
    if (performance.now() - start > slowAnswer) await yieldToEventLoop();
    const shown = compiled.present(data, nested);
    await resolveNested(nested, compiled.nested, (operation, given) =>
      ask(operation, { ...inputValues(operation, request, body), ...given }),
    );
    return { shown };
  };
  return { caller: { ...caller, idempotentRequest: once }, headers, isSilent, isCsv, work };
}

type Serve = (
  route: Route,
  services: RestServices,
  operations: RouteCompiler,
) => (request: Request, response: Response, received: ReceivedBody) => Promise<unknown>;

/**
 * The one handler of all routes: headers and body become GraphQL, and its data the route's status and entity.
 */
export const serveRoute: Serve = (route, services, operations) => async (request, response, received) => {
  const parsed = parseRequest(route, { services, operations }, { request, response, received });
  const { caller, headers, isSilent, isCsv, work } = parsed;
  const start = performance.now();
  const found = await services.run(caller, route.kind, work).catch((error: unknown) => {
    if (error instanceof NotFound && route.absentStatus) return undefined;
    throw error;
  });
  services.onAnswer(response, performance.now() - start);
  setVary(response, [...headers.varyNames, ...(route.varies ? [route.varies] : [])]);
  response.setHeader('Cache-Control', 'private, no-cache');
  if (!found) return response.status(route.absentStatus ?? 404).end();

  const { user } = caller;
  const onSent = (sent: FileDownload) => services.onDownload(user, sent);
  const exchange = { request, response, blobs: services.blobs, onSent };
  const answer = isCsv ? toCsvBody(route, found.shown) : toResponseBody(route, found.shown);
  const { as, value: entity } = answer;
  if (as === 'entity' && applyETag(request, response, { entity, headers, userId: user.id }))
    return response.status(304).end();
  if (isSilent) return response.status(204).end();
  const status = route.alternative?.when(entity) ? route.alternative.status : route.status;
  response.status(status);
  if (status === 204) return response.end();
  return sendResponse(answer, exchange);
};

/** §4.7: answers 202 once the execution of the call has begun; its work keeps the response. */
export const serveRouteAsync =
  ({ begin, end }: ReturnType<typeof executionMutations>): Serve =>
  (route, services, operations) =>
  async (request, response, received) => {
    const parsed = parseRequest(route, { services, operations }, { request, response, received });
    const work: DeferredWork['work'] = async (ask, id) => {
      const { shown } = await parsed.work(ask);
      const answer = await toStoredResponse(route, parsed, { shown, blobs: services.blobs });
      await ask(end, { id, answer });
    };
    const caller = { ...parsed.caller, deferred: { kind: route.kind, work } };
    const isAddressed = route.operation === addressedOperation;
    const operation = isAddressed ? request.params.operation : route.operation;
    const id = await services.run(caller, 'mutation', async (ask) => {
      const { beginExecution } = await ask(begin, { operation });
      return String(beginExecution);
    });
    setVary(response, []);
    response.setHeader('Cache-Control', 'no-store');
    const address = requestUrl(request, services.baseUrlOf(request), caller.options.repository);
    response.setHeader('Location', `${address}/${id}/status`);
    return response.status(202).end();
  };
