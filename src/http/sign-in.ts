import escapeHtml from 'escape-html';
import { type RequestHandler, type Response, Router } from 'express';
import type { Authentication } from '../auth/index.ts';
import { MethodNotAllowed, Unauthenticated } from '../errors.ts';
import { challenge } from './errors.ts';
import { authRequestOf } from './identify.ts';
import { sendPage } from './page.ts';

interface SignInSettings {
  readonly authentication: Pick<Authentication, 'authenticate' | 'hasCredentials'>;
  readonly contextPath: string;
  /** Whether AUTH_CHAIN accepts passwords, so that the browser can ask for one. */
  readonly takesPasswords: boolean;
}

/** Returns the path, query and fragment of an address on this server; undefined for any other value. */
function ownAddress(requested: unknown, contextPath: string): string | undefined {
  if (typeof requested !== 'string' || requested === '') return undefined;
  const base = `http://own.invalid${contextPath}/`;
  if (!URL.canParse(requested, base)) return undefined;
  const { origin, pathname, search, hash } = new URL(requested, base);
  // Browsers take what follows `//` for the name of another host.
  if (origin !== new URL(base).origin || pathname.startsWith('//')) return undefined;
  return `${pathname}${search}${hash}`;
}

function sendSignInPage(response: Response, takesPasswords: boolean, fault?: string): void {
  if (takesPasswords) response.set('WWW-Authenticate', challenge);
  const hint = takesPasswords
    ? 'Load this page again, and your browser will ask for your name and password.'
    : 'This server takes no passwords from browsers. An application that is registered with it signs you in.';
  const body = `<h1>Sign in</h1>
${fault === undefined ? '' : `<p class="fault" role="alert">${escapeHtml(fault)}</p>`}<p>${hint}</p>`;
  response.status(401);
  sendPage(response, { title: 'Sign in', body });
}

/**
 * `/login.jsp` and `/startup`, which existing clients open: the browser asks for name and password, is redirected to
 * `requestedUrl`, and sends the credentials with every further request.
 */
export function signIn({ authentication, contextPath, takesPasswords }: SignInSettings): Router {
  const serve: RequestHandler = async (request, response) => {
    const authRequest = authRequestOf(request, response, contextPath);
    if (!authentication.hasCredentials(authRequest)) return sendSignInPage(response, takesPasswords);
    try {
      const { id } = await authentication.authenticate(authRequest);
      const address = ownAddress(request.query.requestedUrl, contextPath);
      response.set('Cache-Control', 'no-store');
      if (address !== undefined) return response.redirect(303, address);
      const body = `<h1>Signed in</h1><p>You are signed in as <strong>${escapeHtml(id)}</strong>.</p>`;
      return sendPage(response, { title: 'Signed in', body });
    } catch (error) {
      if (!(error instanceof Unauthenticated)) throw error;
      return sendSignInPage(response, takesPasswords, 'The name or the password is wrong.');
    }
  };
  const router = Router();
  router.get('/', serve);
  router.all('/', ({ method }) => {
    throw new MethodNotAllowed(method, ['GET', 'HEAD']);
  });
  return router;
}
