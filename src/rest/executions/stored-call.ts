import type { Request } from 'express';
import { credentialNames } from '../../log.ts';
import type { DeferredRequest, RequestOptions } from '../../scope.ts';
import type { ResponseShape } from '../request/headers.ts';
import type { ReceivedBody } from '../request/receive.ts';
import type { Route } from '../route.ts';
import type { ParsedRequest } from '../serve-route.ts';

/** The parts of a request that its asynchronous execution needs, as JSON. */
export interface StoredCall {
  /** The method and path of the route, as in the table of routes. */
  readonly route: string;
  readonly params: Request['params'];
  readonly query: Request['query'];
  readonly headers: Pick<Request['headers'], 'if-match' | 'if-none-match'>;
  readonly received: ReceivedBody;
  readonly shape: ResponseShape;
  readonly options: Omit<RequestOptions, 'links'>;
  readonly isSilent: boolean;
  /** The base URL of the links in the response. */
  readonly baseUrl: string;
}

export const routeKey = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;

const withoutCredentials = (query: Request['query']): Request['query'] =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !credentialNames.has(name)));

/** Builds the execution to store for an asynchronous request, from the parts of the request that have been parsed. */
export function deferredCall(
  route: Route,
  request: Request,
  {
    parsed,
    received,
    baseUrl,
  }: { readonly parsed: ParsedRequest; readonly received: ReceivedBody; readonly baseUrl: string },
): DeferredRequest {
  const { caller, headers, isSilent } = parsed;
  const { links: _, ...options } = caller.options;
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
  const call: StoredCall = {
    route: routeKey(route),
    params: request.params,
    query: withoutCredentials(request.query),
    headers: {
      ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
    },
    received,
    shape: headers.shape,
    options,
    isSilent,
    baseUrl,
  };
  return { call, digests: received.blobs.map(({ digest }) => digest) };
}
