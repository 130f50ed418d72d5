import type { Request, Response } from 'express';
import Negotiator from 'negotiator';
import { NotAcceptable, NotFound } from '../errors.ts';
import { requesterOf } from '../http/identify.ts';
import { requestStateOf } from '../http/request-state.ts';
import { isGuest } from '../security/acl.ts';
import type { Caller } from '../selection/run.ts';
import { announceDeprecations } from './answer/announce-deprecations.ts';
import { wantsCsv } from './answer/csv.ts';
import { applyETag } from './answer/etag.ts';
import { locationOf } from './answer/location.ts';
import { type FileDownload, sendResponse, toCsvBody, toResponseBody } from './answer/send-response.ts';
import { writeJson } from './answer/write-json.ts';
import type { RouteCompiler } from './compile-route.ts';
import type { Facade } from './facade.ts';
import { restLinks } from './links.ts';
import { parseHeaders, type RequestHeaders, type ResponseShape, shapingHeaders } from './request/headers.ts';
import { idempotentRequestOf } from './request/idempotency.ts';
import type { ReceivedBody } from './request/receive.ts';
import { isLargeBody } from './rights-first.ts';
import { isJsonOnly, type Route } from './route.ts';
import { type RouteWork, requireVisible, routeWork } from './route-work.ts';

const varied = ['Accept', 'Authorization', 'X-Authentication-Token', 'Prefer', ...shapingHeaders];
const vary = varied.join(', ');
const variedNames = new Set(varied.map((name) => name.toLowerCase()));

/**
 * Adds to a `Vary` header, which may already be set. Headers that shape the response are listed as the request spells
 * them.
 */
export function setVary(response: Response, shapedBy: readonly string[]): void {
  const before = response.getHeader('Vary');
  if (shapedBy.length === 0) return void response.setHeader('Vary', before ? `${before}, ${vary}` : vary);
  const others = shapedBy.filter((name) => !variedNames.has(name.toLowerCase()));
  response.setHeader('Vary', [...(before ? [before] : []), vary, ...new Set(others)].join(', '));
}

const isJson = (type: string): boolean =>
  /^application\/(json|\*|[\w.-]+\+json|json\+[\w.-]+)$|^\*\/\*$/.test(type);

/** @throws NotAcceptable if `Accept` excludes JSON */
function requireAcceptable(request: Request): void {
  if (request.headers.accept === undefined || request.accepts('application/json')) return;
  if (!new Negotiator(request).mediaTypes().some(isJson))
    throw new NotAcceptable(
      'Accept must include application/json, the only media type available at this URL.',
    );
}

/**
 * Returns the repository of a request (§9): from `/repo/NAME`, the header or the query parameter, in this order of
 * precedence.
 * @throws NotFound if the repository does not exist
 */
function repositoryOf(request: Request, named: string | undefined, repositories: readonly string[]): string {
  const { repository: segment } = request.params;
  const addressed = Array.isArray(segment) ? segment[0] : segment;
  const repository = addressed ?? named ?? repositories[0] ?? 'default';
  if (!repositories.includes(repository)) throw new NotFound(`The repository ${repository} does not exist.`);
  return repository;
}

/** Returns whether a request reads a page of documents with all their properties and nothing else. */
const showsWhole = ({ csv }: Route, { properties, enrichers, fetch }: ResponseShape): boolean =>
  csv === 'documents' &&
  (properties === undefined || properties.includes('*')) &&
  !enrichers.document?.length &&
  !fetch.document?.length;

export interface ParsedRequest {
  readonly caller: Caller;
  readonly headers: RequestHeaders;
  /** Whether a successful call returns 204 and no body. */
  readonly isSilent: boolean;
  readonly isCsv: boolean;
  readonly work: RouteWork;
}

export function callerAndHeaders(
  facade: Facade,
  request: Request,
  response: Response,
): { caller: Caller; headers: RequestHeaders } {
  const requester = requesterOf(response);
  const names = isGuest(requester.user.id) ? facade.contributedForGuests : facade.contributed;
  const headers = parseHeaders(request, names);
  const options = {
    ...headers.options,
    repository: repositoryOf(request, headers.options.repository, facade.services.config.REPOSITORIES),
    links: restLinks(facade.baseUrlOf(request)),
    address: request.ip ?? '',
  };
  return { caller: { ...requester, options }, headers };
}

/** @throws Invalid, NotAcceptable, NotFound */
export function parseRequest(
  route: Route,
  { facade, compile }: { facade: Facade; compile: RouteCompiler },
  {
    request,
    response,
    received,
    isDeferred = false,
  }: { request: Request; response: Response; received: ReceivedBody; isDeferred?: boolean },
): ParsedRequest {
  announceDeprecations(route, request, response, facade.baseUrlOf(request));
  const { caller, headers } = callerAndHeaders(facade, request, response);
  requireVisible(route, caller.user);
  const isSilent = route.status === 204 || (headers.isVoid && route.method !== 'get');
  const isCsv = wantsCsv(request, route);
  if (isJsonOnly(route) && !isSilent && !isCsv) requireAcceptable(request);
  const { shape, options } = headers;
  const { isStrict } = options;
  const work = routeWork(route, compile, {
    source: request,
    received,
    shape,
    isStrict,
    isLarge: isLargeBody(request),
    hasLargeAnswer: () => Boolean(caller.meter.memory?.held),
    isDeferred,
  });
  const warning = route.body?.warning?.(received.json);
  if (warning !== undefined) response.setHeader('Warning', `299 - ${JSON.stringify(warning)}`);
  const { endsUploads } = route;
  const isWrite = isDeferred || route.kind !== 'query' || endsUploads;
  const once = isWrite ? idempotentRequestOf(request, headers, received) : undefined;
  if (once) response.setHeader('Idempotency-Key', once.key);
  const isWhole = route.kind === 'query' && !isCsv && !isSilent && showsWhole(route, shape);
  const wholeAnswerLimit = isWhole ? facade.services.config.ANSWER_LIMIT : undefined;
  const made = { ...caller, endsUploads, idempotentRequest: once, wholeAnswerLimit };
  return { caller: made, headers, isSilent, isCsv, work };
}

/**
 * Rolls back a write if its response would be too long. Otherwise the client would get an error although the write
 * has taken effect.
 */
const requiringShort =
  (route: Route, limit: number, { meter }: Pick<Caller, 'meter'>, work: RouteWork): RouteWork =>
  async (ask) => {
    const found = await work(ask);
    if (!meter.memory?.held) return found; // Few rows were read, so the response cannot be too long.
    const { as, value } = toResponseBody(route, found.shown);
    if (as === 'entity' || as === 'json') await writeJson(value, limit);
    return found;
  };

export type Serve = (
  route: Route,
  facade: Facade,
  compile: RouteCompiler,
) => (request: Request, response: Response, received: ReceivedBody) => Promise<unknown>;

/**
 * Serves a route: translates the headers and the body to GraphQL, and the resulting data to the status and entity of
 * the response.
 */
export const serveRoute: Serve = (route, facade, compile) => async (request, response, received) => {
  const parsed = parseRequest(route, { facade, compile }, { request, response, received });
  const { caller, headers, isSilent, isCsv, work } = parsed;
  const start = performance.now();
  const isWrite = route.kind === 'mutation' && !isSilent;
  const checked = isWrite ? requiringShort(route, facade.services.config.ANSWER_LIMIT, caller, work) : work;
  const found = await facade.run(caller, route.kind, checked).catch((error: unknown) => {
    if (error instanceof NotFound && route.absentStatus) return undefined;
    throw error;
  });
  requestStateOf(response).graphqlMilliseconds = performance.now() - start;
  setVary(response, [...headers.varyNames, ...(route.varies ? [route.varies] : [])]);
  response.setHeader('Cache-Control', 'private, no-cache');
  if (!found) return response.status(route.absentStatus ?? 404).end();

  const { user } = caller;
  const { blobs, config, journal } = facade.services;
  const onSent = ({ document, ...file }: FileDownload) => {
    if (document) journal.downloaded({ username: user.id, document, ...file });
  };
  const onWritten = (bytes: number) => caller.meter.memory?.shrink(bytes);
  const { ANSWER_LIMIT: answerLimit } = config;
  const hasReadMuch = Boolean(caller.meter.memory?.held);
  const exchange = { request, response, blobs, onSent, answerLimit, hasReadMuch, onWritten };
  const answer = isCsv ? toCsvBody(route, found.shown) : toResponseBody(route, found.shown);
  const { as, value: entity } = answer;
  if (as === 'entity' && applyETag(request, response, { entity, headers, userId: user.id }))
    return response.status(304).end();
  if (isSilent) return response.status(204).end();
  const alternative = route.alternative?.when(entity) ? route.alternative : undefined;
  const { status } = alternative ?? route;
  if (alternative?.location)
    response.setHeader('Location', String((entity as Record<string, unknown>)[alternative.location]));
  if (status === 201) {
    const where = { baseUrl: facade.baseUrlOf(request), createsAt: route.createsAt };
    response.setHeader('Location', locationOf(request, entity, where));
  }
  response.status(status);
  if (status === 204) return response.end();
  return sendResponse(answer, exchange);
};
