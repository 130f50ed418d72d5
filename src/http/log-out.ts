import escapeHtml from 'escape-html';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Authentication } from '../auth/index.ts';
import type { OidcClients } from '../auth/oidc/clients.ts';
import { signOutUrl } from '../auth/oidc/sign-in.ts';
import { consentSession, consoleSession, createSessions } from '../auth/session.ts';
import { MethodNotAllowed, Unauthenticated } from '../errors.ts';
import type { Services } from '../services.ts';
import { endIdentitySession } from '../store/authorities/identity-sessions.ts';
import { originOf } from './caller.ts';
import type { ConsoleSessions } from './console-sessions.ts';
import { authRequestOf, isSecure } from './identify.ts';
import { sendPage } from './page.ts';
import { requestStateOf } from './request-state.ts';

const goodbye = (home: string): string => `<h1>Signed out</h1>
<p>If your browser itself asked for your user name and password, it remembers them until you close it.</p>
<p><a href="${escapeHtml(home)}">Sign in again</a></p>`;

/** Returns whether a browser shows the response to a person. Other clients get a response without a body. */
const wantsPage = (request: Request): boolean =>
  request.accepts(['json', 'html']) === 'html' && request.get('X-Requested-With') === undefined;

/** Whether a cookie is the request's only credential. */
const isCookieOnly = ({ headers, query }: Request): boolean =>
  headers.authorization === undefined &&
  headers['x-authentication-token'] === undefined &&
  query.access_token === undefined &&
  query.token === undefined;

/**
 * Ends the sessions and writes an audit log entry (§2.6). Other credentials, which clients send with every request,
 * remain valid.
 */
export function logOut(
  services: Pick<Services, 'config' | 'database' | 'identityProviders' | 'journal' | 'secrets'>,
  authentication: Pick<Authentication, 'authenticate' | 'hasCredentials'>,
  { sessions, clients }: { readonly sessions: Pick<ConsoleSessions, 'end'>; readonly clients: OidcClients },
): Router {
  const { config, database, journal } = services;
  const { CONTEXT_PATH: contextPath, PUBLIC_URL: publicUrl } = config;
  const consentSessions = createSessions(services, consentSession);
  const consoleSessions = createSessions(services, consoleSession);

  /**
   * Ends a session that was started with an identity provider. Returns the URL that ends the session at the provider;
   * undefined if there is none.
   */
  const endAtProvider = async (request: Request, response: Response): Promise<string | undefined> => {
    const id = consoleSessions.identitySessionOf(request.headers);
    if (id === undefined) return undefined;
    const db = database.metered(requestStateOf(response).meter);
    const ended = await db.transaction(config.TRANSACTION_TIMEOUT, (client) =>
      endIdentitySession({ db: client, services }, id),
    );
    const provider = clients.providers.find(({ name }) => name === ended?.provider);
    const returnTo = `${originOf(config)(request)}${contextPath}/`;
    return provider && signOutUrl(clients, provider, { idToken: ended?.idToken, returnTo });
  };
  const serve: RequestHandler = async (request, response) => {
    const authRequest = authRequestOf(request, response, contextPath);
    consentSessions.end(response, { contextPath, isSecure: isSecure(request, publicUrl) });
    if (authentication.hasCredentials(authRequest)) {
      const user = await authentication.authenticate(authRequest).catch((error: unknown) => {
        // The session has already ended, for example because the password was changed.
        if (error instanceof Unauthenticated && isCookieOnly(request)) return undefined;
        throw error;
      });
      if (user) journal.loggedOut({ username: user.id, address: authRequest.address });
    }
    const location = await endAtProvider(request, response);
    await sessions.end(request, response);
    response.set('Cache-Control', 'no-store');
    if (location !== undefined)
      return wantsPage(request) ? response.redirect(303, location) : response.json({ location });
    if (wantsPage(request))
      return sendPage(response, { title: 'Signed out', body: goodbye(`${contextPath}/`) });
    return response.status(204).end();
  };
  const router = Router();
  router.route('/').get(serve).post(serve);
  router.all('/', ({ method }) => {
    throw new MethodNotAllowed(method, ['GET', 'HEAD', 'POST']);
  });
  return router;
}
