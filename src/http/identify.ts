import type { RequestHandler, Response } from 'express';
import type { Authenticate } from '../auth/index.ts';
import { Forbidden } from '../errors.ts';
import type { Principal } from '../scope.ts';
import { progressOf } from './progress.ts';

/** Finds out who is calling, before any route is reached. */
export const identify =
  (authenticate: Authenticate): RequestHandler =>
  async (request, response, next) => {
    progressOf(response).user = await authenticate(request.headers);
    next();
  };

/** Who is calling. @throws Error when nobody found out: a route stands before `identify`. */
export function userOf(response: Response): Principal {
  const { user } = progressOf(response);
  if (!user) throw new Error('a route is reachable without authentication');
  return user;
}

/** Lets administrators pass, and nobody else. */
export const administratorsOnly: RequestHandler = (_, response, next) => {
  const user = userOf(response);
  if (!user.isAdministrator) throw new Forbidden(`this is for administrators, and ${user.id} is none`);
  next();
};
