import escapeHtml from 'escape-html';
import type { Response } from 'express';
import { sendPage } from '../http/page.ts';
import { carriedOf, type OAuth2Parameters } from './parameters.ts';

const hiddenInputs = (parameters: OAuth2Parameters): string =>
  Object.entries(carriedOf(parameters))
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');

export interface PageContext {
  /** The application context followed by `/oauth2`. */
  readonly path: string;
  readonly clientName: string;
  readonly redirectUri: string;
  readonly parameters: OAuth2Parameters;
}

/** The host of a redirect URI, or its scheme when it has no host, as shown to the user. */
function clientLocation(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return host ? host : protocol.slice(0, -1);
}

export function sendLogInPage(response: Response, page: PageContext, fault?: string): void {
  const { path, clientName, redirectUri, parameters } = page;
  const body = `<h1>Log in</h1>
<p>Log in to continue to <strong>${escapeHtml(clientName)}</strong>.</p>
${fault === undefined ? '' : `<p class="fault" role="alert">${escapeHtml(fault)}</p>`}
<form method="post" action="${escapeHtml(path)}/log_in">${hiddenInputs(parameters)}
<label>User name<input name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus></label>
<label>Password<input name="password" type="password" autocomplete="current-password"></label>
<div class="actions"><button class="main">Log in</button></div>
</form>`;
  sendPage(response, { title: 'Log in', body, redirectUri });
}

export function sendConsentPage(response: Response, page: PageContext, username: string): void {
  const { path, clientName, redirectUri, parameters } = page;
  const body = `<h1>${escapeHtml(clientName)} asks for access</h1>
<p>You are logged in as <strong>${escapeHtml(username)}</strong>. If you allow the access, this application can do the
following until you or an administrator ends it:</p>
<ul><li>read everything that you can read</li><li>create, change and delete on your behalf</li></ul>
<form method="post" action="${escapeHtml(path)}/authorize_submit">${hiddenInputs(parameters)}
<div class="actions"><button name="grant_access" value="0">Deny</button>
<button class="main" name="grant_access" value="1">Allow</button></div>
</form>
<small>Your answer is sent to <strong>${escapeHtml(clientLocation(redirectUri))}</strong>.</small>`;
  sendPage(response, { title: `${clientName} asks for access`, body, redirectUri });
}

/** Sends an error page for a request whose client or redirect URI is not verified, so that it cannot be redirected. */
export function sendErrorPage(response: Response, message: string): void {
  const body = `<h1>This request cannot be answered</h1>
<p class="fault" role="alert">${escapeHtml(message)}</p>
<p>The application that sent you here is not registered with these settings. Please contact its operator.</p>`;
  sendPage(response, { title: 'Invalid request', body });
}
