import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import proxyAddr from 'proxy-addr';
import type { Authentication } from '../auth/index.ts';
import type { AuthRequest } from '../auth/method.ts';
import { type Principal, requireAdministrator } from '../security/principal.ts';
import type { Caller } from '../selection/run.ts';
import { requestStateOf } from './request-state.ts';

/**
 * Returns the client address for a request that has not reached Express yet. It equals the later value of `request.ip`.
 * @param proxies TRUST_PROXY
 */
export const remoteAddress = (request: IncomingMessage, proxies: number): string =>
  proxyAddr(request, (_, hop) => hop < proxies) ?? '';

/**
 * Returns the address of the client: the last address that does not belong to a trusted proxy (TRUST_PROXY).
 */
export const clientAddress = ({ ip }: Request): string => ip ?? '';

export const isSecure = ({ secure }: Request, publicUrl: string | undefined): boolean =>
  secure || publicUrl?.startsWith('https:') === true;

export function authRequestOf(request: Request, response: Response, contextPath: string): AuthRequest {
  const { headers, query, originalUrl } = request;
  const [whole = ''] = originalUrl.split('?', 1);
  const path = whole.startsWith(`${contextPath}/`) ? whole.slice(contextPath.length) : whole;
  return { headers, query, path, address: clientAddress(request), meter: requestStateOf(response).meter };
}

export const identify =
  ({ authenticate }: Pick<Authentication, 'authenticate'>, contextPath: string): RequestHandler =>
  async (request, response, next) => {
    requestStateOf(response).user = await authenticate(authRequestOf(request, response, contextPath));
    next();
  };

/**
 * Returns the authenticated user.
 * @throws Error if the route is registered before `identify`
 */
export function currentUser(response: Response): Principal {
  const { user } = requestStateOf(response);
  if (!user) throw new Error('a route is reachable without authentication');
  return user;
}

export const requesterOf = (response: Response): Pick<Caller, 'user' | 'meter' | 'response' | 'carried'> => ({
  user: currentUser(response),
  meter: requestStateOf(response).meter,
  response,
  carried: requestStateOf(response).carried,
});

export const administratorsOnly: RequestHandler = (_, response, next) => {
  requireAdministrator(currentUser(response));
  next();
};

/**
 * Returns a function that authenticates the same request again. It is used to end long responses when their credentials
 * are revoked.
 * @throws Unauthenticated or TooManyRequests; Forbidden if the caller was an administrator but no longer is
 */
export const identifyingAgain =
  ({ authenticate }: Pick<Authentication, 'authenticate'>, contextPath: string) =>
  (request: Request, response: Response) =>
  async (): Promise<Principal> => {
    const user = await authenticate(authRequestOf(request, response, contextPath));
    if (currentUser(response).isAdministrator) requireAdministrator(user);
    return user;
  };
