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
 * Rejects browser requests whose `Host` is not a loopback name. It is used if the server can be reached only from this
 * computer. It prevents DNS rebinding attacks, in which the host name of another site resolves to this computer, so
 * that browsers treat the site's pages as having the same origin as this server.
 */
export const ownNames: RequestHandler = ({ headers }, _response, next) => {
  const isOfBrowser = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
  if (isOfBrowser && !isOwnName(headers.host)) {
    throw new Forbidden(
      `Browsers can reach this server only as localhost, not as ${headers.host}. To use another name, set PUBLIC_URL.`,
    );
  }
  next();
};

/**
 * Returns whether the request was sent by a page of another site, according to headers that only browsers send.
 */
function isForeign({ headers, host }: Request, { publicUrl, allowed }: Origins): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && allowed.includes(origin)) return false;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true; // Pages that hide their origin send "null".
  const { protocol, host: from } = new URL(origin);
  // Parsing the address normalizes it in the same way as the origin: the result is in lower case and has no default
  // port.
  const reached = `${protocol}//${host}`;
  const own = [URL.canParse(reached) && new URL(reached).host, publicUrl && new URL(publicUrl).host];
  return !own.includes(from);
}

/** Rejects requests from pages of other sites for any method, because some GET requests change data. */
export const sameOrigin =
  (origins: Origins): RequestHandler =>
  (request, _response, next) => {
    if (isForeign(request, origins))
      throw new Forbidden('Requests from pages of other sites are not allowed.');
    next();
  };

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Rejects writes from pages of other sites. CORS is not sufficient, because it only hides the response from the page;
 * the request is still executed with the user's credentials.
 */
export function sameOriginWrites(origins: Origins): RequestHandler {
  const check = sameOrigin(origins);
  return (request, response, next) => (reads.has(request.method) ? next() : check(request, response, next));
}
