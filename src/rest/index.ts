import type { Request, RequestHandler, Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import Negotiator from 'negotiator';
import type { BlobStore } from '../blobs/blob-store.ts';
import { MethodNotAllowed, NotAcceptable, NotFound } from '../errors.ts';
import type { Ask, Caller, Run } from '../operation.ts';
import type { Principal } from '../scope.ts';
import { asCsv, type Sent, send, toAnswer } from './answers.ts';
import { wantsCsv } from './csv.ts';
import { tagDocument } from './etag.ts';
import { type Contributed, parseHeaders } from './headers.ts';
import { onceOf } from './idempotency.ts';
import { inputsOf } from './inputs.ts';
import { findInside, Inside } from './inside.ts';
import { createOperations, type Operations } from './operations.ts';
import { createFinder, type Place } from './places.ts';
import { createReceiver, type Received } from './receive.ts';
import type { Route } from './route.ts';
import { routes } from './routes.ts';
import { othersTurn } from './write-json.ts';

export interface RestServices {
  readonly schema: GraphQLSchema;
  readonly run: Run;
  readonly blobs: BlobStore;
  readonly contributed: Contributed;
  /** Those there are; the first is used when a request names none. */
  readonly repositories: readonly string[];
  /** The largest JSON, and the largest body in parts, in bytes. */
  readonly bodyLimit: number;
  readonly uploadLimit: number;
  /** Who sent this request, known before any route is reached; and where its statements are counted. */
  readonly askerOf: (response: Response) => Pick<Caller, 'user' | 'meter'>;
  /** Where the caller finds `/api/v1`. */
  readonly baseUrlOf: (request: Request) => string;
  /** Tells how long the schema took, in milliseconds. */
  readonly onAnswer: (response: Response, milliseconds: number) => void;
  /** Tells that a file went to somebody. */
  readonly onDownload: (user: Principal, sent: Sent) => void;
}

/** §9: headers that an answer may depend on. */
const vary = [
  ...['Accept', 'Authorization', 'X-Authentication-Token', 'Repository', 'depth', 'properties', 'Prefer'],
  ...['enrichers.document', 'enrichers.user', 'fetch.acls', 'fetch.document', 'fetch.group'],
  ...['fetch.directoryEntry', 'fetch.schema', 'translate.directoryEntry'],
].join(', ');

/** Names what the answer depends on, other spellings as the caller spelled them; what stands there already stays. */
function setVary(response: Response, shapedBy: readonly string[]): void {
  const before = response.getHeader('Vary');
  const names = before ? `${before}, ${vary}` : vary;
  response.setHeader('Vary', shapedBy.length > 0 ? `${names}, ${shapedBy.join(', ')}` : names);
}

const isJson = (type: string): boolean =>
  /^application\/(json|\*|[\w.-]+\+json|json\+[\w.-]+)$|^\*\/\*$/.test(type);

/** @throws NotAcceptable when JSON is none of the types that the caller accepts. */
function requireAcceptable(request: Request): void {
  if (request.headers.accept === undefined || request.accepts('application/json')) return;
  if (!new Negotiator(request).mediaTypes().some(isJson))
    throw new NotAcceptable('only application/json is served here');
}

/** §9: the address before the header before the query. @throws NotFound when it is none of ours. */
function repositoryOf(request: Request, named: string | undefined, repositories: readonly string[]): string {
  const repository = [request.params.repository].flat()[0] ?? named ?? repositories[0] ?? 'default';
  if (!repositories.includes(repository)) throw new NotFound(`the repository ${repository} does not exist`);
  return repository;
}

/** Whether nothing but JSON is ever answered here. */
const isJsonOnly = ({ answer, isJson = answer === 'entity' }: Route): boolean => isJson;

/** An answer that took so many milliseconds to find may well be large, and take long to spell. */
const patience = 25;

/** The one handler of every row: headers and body in, GraphQL, the row's status and entity out. */
function serve(
  route: Route,
  services: RestServices,
  operations: Operations,
): (request: Request, response: Response, received: Received) => Promise<unknown> {
  return async (request, response, received) => {
    const headers = parseHeaders(request, services.contributed);
    const isSilent = route.status === 204 || (headers.isVoid && route.method !== 'get');
    const isCsv = wantsCsv(request, route);
    if (isJsonOnly(route) && !isSilent && !isCsv) requireAcceptable(request);
    const body = route.body?.(received.json, received.blobs);
    const asker = services.askerOf(response);
    const options = {
      ...headers.options,
      repository: repositoryOf(request, headers.options.repository, services.repositories),
      baseUrl: services.baseUrlOf(request),
      address: request.ip ?? '',
    };

    const once = route.kind === 'mutation' ? onceOf(request, headers, received) : undefined;
    if (once) response.setHeader('Idempotency-Key', once.key);

    const asked = operations(route, headers.shape);
    const inputs = inputsOf(asked.operation, request, body);
    const start = performance.now();
    const work = async (ask: Ask) => {
      const inside = new Inside();
      const data = await ask(asked.operation, inputs);
      if (performance.now() - start > patience) await othersTurn();
      const shown = asked.present(data, inside);
      await findInside(inside, asked.inside, (operation, given) =>
        ask(operation, { ...inputsOf(operation, request, body), ...given }),
      );
      return { shown };
    };
    const found = await services
      .run({ ...asker, options, once }, route.kind, work)
      .catch((error: unknown) => {
        if (error instanceof NotFound && route.absent) return undefined;
        throw error;
      });
    services.onAnswer(response, performance.now() - start);
    setVary(response, headers.shapedBy);
    response.setHeader('Cache-Control', 'private, no-cache');
    if (!found) return response.status(route.absent ?? 404).end();

    const answer = isCsv ? asCsv(route, found.shown) : toAnswer(route, found.shown);
    const { as, value: entity } = answer;
    if (as === 'entity' && tagDocument(request, response, { entity, headers, userId: asker.user.id }))
      return response.status(304).end();
    if (isSilent) return response.status(204).end();
    response.status(route.status);
    const onSent = (sent: Sent) => services.onDownload(asker.user, sent);
    return send(answer, { request, response, blobs: services.blobs, onSent });
  };
}

/** What answers at a path of the table: its rows by their methods, and 405 for all others. */
function placeOf(path: string, handlers: ReadonlyMap<string, RequestHandler>): Place {
  const allowed = [...handlers.keys(), 'OPTIONS'];
  if (handlers.has('GET')) allowed.push('HEAD');
  const handle: RequestHandler = (request, response, next) => {
    const handler = handlers.get(request.method === 'HEAD' ? 'GET' : request.method);
    if (handler) return handler(request, response, next);
    if (request.method !== 'OPTIONS') throw new MethodNotAllowed(request.method, allowed);
    return response.set('Allow', allowed.join(', ')).status(204).end();
  };
  return { path, handle };
}

/** A segment that begins with "@" starts an adapter: one that the table does not have is in no document's path or xpath. */
const otherAdapters = (path: string): Place => ({
  path: `${path}/@:adapter{/*rest}`,
  handle: ({ params }) => {
    throw new NotFound(`there is no @${params.adapter} here`);
  },
});

/** §4: every route of the table, below wherever it is mounted; and 405 or 404 for whatever else is asked. */
export function createRest(services: RestServices): RequestHandler {
  const operations = createOperations(services.schema);
  const receive = createReceiver(services);
  const handlerOf = (row: Route): RequestHandler => {
    const answer = serve(row, services, operations);
    return async (request, response) => answer(request, response, await receive(row, request, response));
  };

  const paths = new Set(routes.map((route) => route.path));
  const find = createFinder(
    [...paths].flatMap((path) => {
      const rows = routes.filter((route) => route.path === path);
      const handlers = new Map(rows.map((row) => [row.method.toUpperCase(), handlerOf(row)]));
      const place = placeOf(path, handlers);
      const hasAdapters = paths.has(`${path}/@children`) || path.endsWith('/*xpath');
      return hasAdapters ? [otherAdapters(path), place] : [place];
    }),
  );
  return (request, response, next) => {
    const found = find(request.path);
    if (!found) return next();
    const { place, parameters } = found;
    request.params = parameters as Request['params'];
    request.route = place;
    return place.handle(request, response, next);
  };
}
