import type { Request, Response } from 'express';
import type { GraphQLSchema } from 'graphql';
import Negotiator from 'negotiator';
import type { BlobStore } from '../blobs/blob-store.ts';
import { NotAcceptable, NotFound } from '../errors.ts';
import type { Ask, Caller, Execute, Run } from '../operation.ts';
import type { Principal } from '../scope.ts';
import { asCsv, type Sent, send, toAnswer } from './answers.ts';
import { wantsCsv } from './csv.ts';
import { tagDocument } from './etag.ts';
import { addressOf, toKept } from './executions.ts';
import { type Contributed, type Headers, openLists, parseHeaders } from './headers.ts';
import { onceOf } from './idempotency.ts';
import { inputsOf } from './inputs.ts';
import { findInside, Inside } from './inside.ts';
import type { Operations } from './operations.ts';
import type { Received } from './receive.ts';
import { isJsonOnly, type Route } from './route.ts';
import { othersTurn } from './write-json.ts';

export interface RestServices {
  readonly schema: GraphQLSchema;
  readonly run: Run;
  readonly execute: Execute;
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
  /** Has an execution end that is under way in this process. */
  readonly endHere: (caller: Caller, execution: { readonly id: string; readonly operation: string }) => void;
  /** Tells how long the schema took, in milliseconds. */
  readonly onAnswer: (response: Response, milliseconds: number) => void;
  /** Tells that a file went to somebody. */
  readonly onDownload: (user: Principal, sent: Sent) => void;
}

/** §9: headers that an answer may depend on. */
const vary = [
  ...[
    'Accept',
    'Authorization',
    'X-Authentication-Token',
    'Repository',
    'depth',
    'properties',
    'Prefer',
    'skipAggregates',
  ],
  ...openLists,
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

/** An answer that took so many milliseconds to find may well be large, and take long to spell. */
const patience = 25;

/** A request that is understood: who asks what, and how the answer is worked out. */
export interface Asked {
  readonly caller: Caller;
  readonly headers: Headers;
  /** Whether nothing is answered, whatever there is. */
  readonly isSilent: boolean;
  readonly isCsv: boolean;
  readonly work: (ask: Ask) => Promise<{ readonly shown: unknown }>;
}

/** Who asks, and what the headers say of it. */
export function callerOf(
  services: RestServices,
  request: Request,
  response: Response,
): { caller: Caller; headers: Headers } {
  const headers = parseHeaders(request, services.contributed);
  const options = {
    ...headers.options,
    repository: repositoryOf(request, headers.options.repository, services.repositories),
    baseUrl: services.baseUrlOf(request),
    address: request.ip ?? '',
  };
  return { caller: { ...services.askerOf(response), options }, headers };
}

/** Reads a request. @throws Invalid and others when it is none. */
function understand(
  route: Route,
  { services, operations }: { services: RestServices; operations: Operations },
  { request, response, received }: { request: Request; response: Response; received: Received },
): Asked {
  const { caller, headers } = callerOf(services, request, response);
  const isSilent = route.status === 204 || (headers.isVoid && route.method !== 'get');
  const isCsv = wantsCsv(request, route);
  if (isJsonOnly(route) && !isSilent && !isCsv) requireAcceptable(request);
  const body = route.body?.(received.json, received.blobs);
  const once = route.kind === 'mutation' ? onceOf(request, headers, received) : undefined;
  if (once) response.setHeader('Idempotency-Key', once.key);
  const asked = operations(route, headers.shape);
  const inputs = inputsOf(asked.operation, request, body);
  const work = async (ask: Ask) => {
    const start = performance.now();
    const inside = new Inside();
    const data = await ask(asked.operation, inputs);
    if (performance.now() - start > patience) await othersTurn();
    const shown = asked.present(data, inside);
    await findInside(inside, asked.inside, (operation, given) =>
      ask(operation, { ...inputsOf(operation, request, body), ...given }),
    );
    return { shown };
  };
  return { caller: { ...caller, once }, headers, isSilent, isCsv, work };
}

/** How a row is served, and what with. */
type Serve = (
  route: Route,
  services: RestServices,
  operations: Operations,
) => (request: Request, response: Response, received: Received) => Promise<unknown>;

/** The one handler of every row: headers and body in, GraphQL, the row's status and entity out. */
export const serve: Serve = (route, services, operations) => async (request, response, received) => {
  const asked = understand(route, { services, operations }, { request, response, received });
  const { caller, headers, isSilent, isCsv, work } = asked;
  const { execution, operation } = request.params;
  if (route.aborts) services.endHere(caller, { id: String(execution), operation: String(operation) });
  const start = performance.now();
  const found = await services.run(caller, route.kind, work).catch((error: unknown) => {
    if (error instanceof NotFound && route.absent) return undefined;
    throw error;
  });
  services.onAnswer(response, performance.now() - start);
  setVary(response, headers.shapedBy);
  response.setHeader('Cache-Control', 'private, no-cache');
  if (!found) return response.status(route.absent ?? 404).end();

  const { user } = caller;
  const onSent = (sent: Sent) => services.onDownload(user, sent);
  const exchange = { request, response, blobs: services.blobs, onSent };
  const answer = isCsv ? asCsv(route, found.shown) : toAnswer(route, found.shown);
  const { as, value: entity } = answer;
  if (as === 'entity' && tagDocument(request, response, { entity, headers, userId: user.id }))
    return response.status(304).end();
  if (isSilent) return response.status(204).end();
  const status = route.besides?.when(entity) ? route.besides.status : route.status;
  response.status(status);
  if (status === 204) return response.end();
  return send(answer, exchange);
};

/** The same for those who do not wait (§4.7): an operation is executed once the call is understood, 202 meanwhile. */
export const serveLater: Serve = (route, services, operations) => async (request, response, received) => {
  const asked = understand(route, { services, operations }, { request, response, received });
  const { caller, work } = asked;
  const operation = route.operation ?? '';
  const id = await services.execute(caller, { kind: route.kind, operation }, async (ask) =>
    toKept(route, asked, { ...(await work(ask)), blobs: services.blobs }),
  );
  setVary(response, []);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Location', `${addressOf(request, caller.options)}/${id}/status`);
  return response.status(202).end();
};
