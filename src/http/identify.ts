import type { Request, RequestHandler, Response } from 'express';
import type { Authentication } from '../auth/index.ts';
import type { Visitor } from '../auth/method.ts';
import { Forbidden } from '../errors.ts';
import type { Caller } from '../operation.ts';
import type { Principal } from '../scope.ts';
import { progressOf } from './progress.ts';

/** Where a request comes from: the last address that is not one of our own proxies (TRUST_PROXY). */
export const addressOf = ({ ip }: Request): string => ip ?? '';

/** Whether a client reaches the server by https, as the request or PUBLIC_URL tells. */
export const isSecure = ({ secure }: Request, publicUrl: string | undefined): boolean =>
  secure || publicUrl?.startsWith('https:') === true;

/** What a request tells of who sent it. */
export function visitorOf(request: Request, response: Response, contextPath: string): Visitor {
  const { headers, query, originalUrl } = request;
  const [whole = ''] = originalUrl.split('?', 1);
  const path = whole.startsWith(`${contextPath}/`) ? whole.slice(contextPath.length) : whole;
  return { headers, query, path, address: addressOf(request), meter: progressOf(response).meter };
}

/** Finds out who is calling, before any route is reached. */
export const identify =
  ({ authenticate }: Pick<Authentication, 'authenticate'>, contextPath: string): RequestHandler =>
  async (request, response, next) => {
    progressOf(response).user = await authenticate(visitorOf(request, response, contextPath));
    next();
  };

/** Who is calling. @throws Error when nobody found out: a route stands before `identify`. */
export function userOf(response: Response): Principal {
  const { user } = progressOf(response);
  if (!user) throw new Error('a route is reachable without authentication');
  return user;
}

/** Who is calling, and where the call's statements are counted. */
export const askerOf = (response: Response): Pick<Caller, 'user' | 'meter'> => ({
  user: userOf(response),
  meter: progressOf(response).meter,
});

/** Lets administrators pass, and nobody else. */
export const administratorsOnly: RequestHandler = (_, response, next) => {
  const user = userOf(response);
  if (!user.isAdministrator) throw new Forbidden(`this is for administrators, and ${user.id} is none`);
  next();
};
