import escapeHtml from 'escape-html';
import type { Response } from 'express';
import type { SignInOptions } from '../auth/sign-in-options.ts';
import { pathsOfScope } from '../auth/token-scope.ts';
import { extensions } from '../extensions/loaded.ts';
import { sendPage } from '../http/page.ts';
import { carriedOf, type OAuth2Parameters, withParameters } from './parameters.ts';

const hiddenInputs = (parameters: OAuth2Parameters): string =>
  Object.entries(carriedOf(parameters))
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');

export interface PageContext {
  /** The path of the OAuth 2.0 endpoints: the application context followed by `/oauth2`. */
  readonly path: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly parameters: OAuth2Parameters;
  /**
   * The address of the page for resetting a forgotten password; absent if this server cannot send links by email.
   */
  readonly forgotten?: string | undefined;
  readonly options: SignInOptions;
}

/** Returns the part of a redirect URI to show to the user: the host or, if there is none, the scheme. */
function clientLocation(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return host ? host : protocol.slice(0, -1);
}

/**
 * Returns the address at which a sign-in with a provider starts. After the sign-in, the browser returns to the
 * application's authorization request.
 */
export const providerUrl = (address: string, { path, parameters }: PageContext): string =>
  withParameters(address, { target: withParameters(`${path}/authorize`, carriedOf(parameters)) });

const providerLinks = (page: PageContext): string =>
  page.options.providers
    .map(({ label, address }) => {
      const url = escapeHtml(providerUrl(address, page));
      return `<a class="button" href="${url}">Sign in with ${escapeHtml(label)}</a>`;
    })
    .join('');

export function sendLogInPage(response: Response, page: PageContext, fault?: string): void {
  const { path, clientName, redirectUri, parameters, options, forgotten } = page;
  const form = `<form method="post" action="${escapeHtml(path)}/log_in">${hiddenInputs(parameters)}
<label>User name<input name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus></label>
<label>Password<input name="password" type="password" autocomplete="current-password"></label>
<div class="actions"><button class="main">Sign in</button></div>
</form>${forgotten === undefined ? '' : `<p><a href="${escapeHtml(forgotten)}">Forgot your password?</a></p>`}`;
  const body = `<h1>Sign in</h1>
<p>Sign in to continue to <strong>${escapeHtml(clientName)}</strong>.</p>
${fault === undefined ? '' : `<p class="fault" role="alert">${escapeHtml(fault)}</p>`}
${options.passwords ? form : ''}${providerLinks(page)}`;
  sendPage(response, { title: 'Sign in', body, redirectUri });
}

/** Sends the page that asks for a code after the correct password was entered. */
export function sendCodePage(response: Response, page: PageContext, fault?: string): void {
  const { path, redirectUri, parameters } = page;
  const body = `<h1>Enter the code</h1>
<p>Enter the code that your authenticator app shows, or a recovery code.</p>
${fault === undefined ? '' : `<p class="fault" role="alert">${escapeHtml(fault)}</p>`}
<form method="post" action="${escapeHtml(path)}/log_in_code">${hiddenInputs(parameters)}
<label>Code<input name="code" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required autofocus></label>
<div class="actions"><button class="main">Continue</button></div>
</form>`;
  sendPage(response, { title: 'Enter the code', body, redirectUri });
}

const everything = ['read everything that you can read', 'create, change and delete content on your behalf'];

/** Returns what an application can do with tokens of the requested scope, as ends of "This application can …". */
function consentsTo({ scope = '' }: OAuth2Parameters): readonly string[] {
  const paths = pathsOfScope(scope.split(' '));
  if (!paths) return everything;
  const handlers = extensions().flatMap(({ handlers: own = [] }) => own);
  return paths.map((path) => {
    const consent = handlers.find((handler) => handler.path === path)?.oauth?.consent;
    return consent ?? `use the addresses at ${path} on your behalf`;
  });
}

export function sendConsentPage(response: Response, page: PageContext, username: string): void {
  const { path, clientName, redirectUri, parameters } = page;
  const body = `<h1>${escapeHtml(clientName)} wants to access your account</h1>
<p>You are signed in as <strong>${escapeHtml(username)}</strong>. If you allow access, this application can do the
following until you or an administrator revokes its access:</p>
<ul>${consentsTo(parameters)
    .map((can) => `<li>${escapeHtml(can)}</li>`)
    .join('')}</ul>
<form method="post" action="${escapeHtml(path)}/authorize_submit">${hiddenInputs(parameters)}
<div class="actions"><button name="grant_access" value="0">Deny</button>
<button class="main" name="grant_access" value="1">Allow</button></div>
</form>
<small>Your answer is sent to <strong>${escapeHtml(clientLocation(redirectUri))}</strong>.</small>`;
  sendPage(response, { title: `${clientName} wants to access your account`, body, redirectUri });
}

/**
 * Sends an error page if the client or the redirect URI is invalid, because the browser must not be redirected to
 * an unverified URI.
 */
export function sendErrorPage(response: Response, message: string): void {
  const body = `<h1>Invalid authorization request</h1>
<p class="fault" role="alert">${escapeHtml(message)}</p>
<p>The application that sent you here is not registered with these settings. Contact the developer of the application.</p>`;
  sendPage(response, { title: 'Invalid request', body });
}
