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
  /** Whether AUTH_CHAIN accepts passwords, in which case the browser can ask for one. */
  readonly takesPasswords: boolean;
}

/** Returns the path, query and fragment of a URL if it belongs to this server; undefined otherwise. */
export function ownAddress(requested: unknown, contextPath: string): string | undefined {
  if (typeof requested !== 'string' || requested === '') return undefined;
  const base = `http://own.invalid${contextPath}/`;
  if (!URL.canParse(requested, base)) return undefined;
  const { origin, pathname, search, hash } = new URL(requested, base);
  // Browsers would interpret the text after `//` as the name of another host.
  if (origin !== new URL(base).origin || pathname.startsWith('//')) return undefined;
  return `${pathname}${search}${hash}`;
}

function sendSignInPage(response: Response, takesPasswords: boolean, fault?: string): void {
  if (takesPasswords) response.set('WWW-Authenticate', challenge);
  const hint = takesPasswords
    ? 'Reload this page. Your browser will then ask for your user name and password.'
    : 'This server does not accept passwords from browsers. Sign in with an application that is registered with it.';
  const body = `<h1>Sign in</h1>
${fault === undefined ? '' : `<p class="fault" role="alert">${escapeHtml(fault)}</p>`}<p>${hint}</p>`;
  response.status(401);
  sendPage(response, { title: 'Sign in', body });
}

/**
 * Serves `/login.jsp` and `/startup`, which existing clients open. The browser asks for the user name and password, is
 * redirected to `requestedUrl`, and sends the credentials with every further request.
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
      return sendSignInPage(response, takesPasswords, 'The user name or the password is wrong.');
    }
  };
  const router = Router();
  router.get('/', serve);
  router.all('/', ({ method }) => {
    throw new MethodNotAllowed(method, ['GET', 'HEAD']);
  });
  return router;
}
