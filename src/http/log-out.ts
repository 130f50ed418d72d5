import escapeHtml from 'escape-html';
import { type Request, type RequestHandler, Router } from 'express';
import type { Authentication } from '../auth/index.ts';
import { endSessions } from '../auth/session.ts';
import { MethodNotAllowed, Unauthenticated } from '../errors.ts';
import type { Services } from '../services.ts';
import { authRequestOf, isSecure } from './identify.ts';
import { sendPage } from './page.ts';

const goodbye = (home: string): string => `<h1>Logged out</h1>
<p>A browser that has asked for your name and password itself keeps them until it is closed.</p>
<p><a href="${escapeHtml(home)}">Sign in again</a></p>`;

/** Whether a person reads the response in a browser; programs get a response without a body. */
const wantsPage = (request: Request): boolean =>
  request.accepts(['json', 'html']) === 'html' && request.get('X-Requested-With') === undefined;

/** Whether the request has no credentials other than a cookie. */
const isCookieOnly = ({ headers, query }: Request): boolean =>
  headers.authorization === undefined &&
  headers['x-authentication-token'] === undefined &&
  query.access_token === undefined &&
  query.token === undefined;

/**
 * Clears the session cookies and writes an audit entry (§2.6). Other credentials, which clients send with every
 * request, stay valid.
 */
export function logOut(
  { config, journal }: Pick<Services, 'config' | 'journal'>,
  authentication: Pick<Authentication, 'authenticate' | 'hasCredentials'>,
): Router {
  const { CONTEXT_PATH: contextPath, PUBLIC_URL: publicUrl } = config;
  const serve: RequestHandler = async (request, response) => {
    const authRequest = authRequestOf(request, response, contextPath);
    endSessions(response, { contextPath, isSecure: isSecure(request, publicUrl) });
    if (authentication.hasCredentials(authRequest)) {
      const user = await authentication.authenticate(authRequest).catch((error: unknown) => {
        // The session has already ended, for example because the password was changed.
        if (error instanceof Unauthenticated && isCookieOnly(request)) return undefined;
        throw error;
      });
      if (user) journal.loggedOut({ username: user.id, address: authRequest.address });
    }
    if (wantsPage(request))
      return sendPage(response, { title: 'Logged out', body: goodbye(`${contextPath}/`) });
    return response.set('Cache-Control', 'no-store').status(204).end();
  };
  const router = Router();
  router.route('/').get(serve).post(serve);
  router.all('/', ({ method }) => {
    throw new MethodNotAllowed(method, ['GET', 'HEAD', 'POST']);
  });
  return router;
}
