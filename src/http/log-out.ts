import { type RequestHandler, Router } from 'express';
import type { Authentication } from '../auth/index.ts';
import { MethodNotAllowed } from '../errors.ts';
import { endSession } from '../oauth2/session.ts';
import type { Journal } from '../store/journal.ts';
import { isSecure, visitorOf } from './identify.ts';

/** Who logs out from where, and who is told. */
export interface LogOutServices {
  readonly authentication: Pick<Authentication, 'authenticate' | 'isAsked'>;
  readonly journal: Pick<Journal, 'loggedOut'>;
  readonly contextPath: string;
  /** PUBLIC_URL. */
  readonly publicUrl: string | undefined;
}

/**
 * `/logout`, which existing clients call when they are done: the cookie of the log-in page goes, and who brings
 * credentials leaves an entry in the audit (§2.6). Credentials themselves go on counting: clients send them with every
 * request.
 */
export function logOut({ authentication, journal, contextPath, publicUrl }: LogOutServices): Router {
  const serve: RequestHandler = async (request, response) => {
    const visitor = visitorOf(request, response, contextPath);
    if (authentication.isAsked(visitor)) {
      const { id: username } = await authentication.authenticate(visitor);
      journal.loggedOut({ username, address: visitor.address });
    }
    endSession(response, { contextPath, isSecure: isSecure(request, publicUrl) });
    response.set('Cache-Control', 'no-store').status(204).end();
  };
  const router = Router();
  router.route('/').get(serve).post(serve);
  router.all('/', ({ method }) => {
    throw new MethodNotAllowed(method, ['GET', 'HEAD', 'POST']);
  });
  return router;
}
