import type { Request, RequestHandler } from 'express';
import { isLoopback } from '../config.ts';
import { Forbidden } from '../errors.ts';

export interface Origins {
  readonly publicUrl: string | undefined;
  readonly allowed: readonly string[];
}

const isOwnName = (host: string | undefined): boolean =>
  URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`).hostname);

/**
 * Refuses requests of browsers whose `Host` is not a loopback name, for servers that are reachable only from this
 * computer. This prevents DNS rebinding, where the name of another site resolves to this computer, so that browsers
 * take its pages for pages of the same origin.
 */
export const ownNames: RequestHandler = ({ headers }, _response, next) => {
  const isOfBrowser = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
  if (isOfBrowser && !isOwnName(headers.host)) {
    throw new Forbidden(
      `browsers reach this server as localhost, not as ${headers.host}; PUBLIC_URL gives it another name`,
    );
  }
  next();
};

/** Whether a page of another site sent the request, according to headers that only browsers send. */
function isForeign({ headers, host }: Request, { publicUrl, allowed }: Origins): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && allowed.includes(origin)) return false;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true; // "null", sent by pages that hide their origin
  const { protocol, host: from } = new URL(origin);
  // Parsing the address normalizes it like the origin: in lower case and without the default port.
  const reached = `${protocol}//${host}`;
  const own = [URL.canParse(reached) && new URL(reached).host, publicUrl && new URL(publicUrl).host];
  return !own.includes(from);
}

/** Refuses requests that pages of other sites send, whatever the method: some GET requests change state. */
export const sameOrigin =
  (origins: Origins): RequestHandler =>
  (request, _response, next) => {
    if (isForeign(request, origins)) throw new Forbidden('this was sent from another site');
    next();
  };

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses writes that pages of other sites send. CORS is not enough: it only withholds the response from the page, while
 * the request is executed with the credentials of the user.
 */
export function sameOriginWrites(origins: Origins): RequestHandler {
  const check = sameOrigin(origins);
  return (request, response, next) => (reads.has(request.method) ? next() : check(request, response, next));
}
