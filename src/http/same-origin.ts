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
 * For a server that only this computer reaches. A page of another site may have its name lead to this
 * computer: for a browser it is then of the same origin.
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

/** Judged by headers that only browsers send. */
function isForeign({ headers, host }: Request, { publicUrl, allowed }: Origins): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && allowed.includes(origin)) return false;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true; // "null": the page hides its origin
  const { protocol, host: from } = new URL(origin);
  // In lower case and without the port of the scheme, as browsers write an origin.
  const reached = `${protocol}//${host}`;
  const own = [URL.canParse(reached) && new URL(reached).host, publicUrl && new URL(publicUrl).host];
  return !own.includes(from);
}

/** Also for what changes something by GET. */
export const sameOrigin =
  (origins: Origins): RequestHandler =>
  (request, _response, next) => {
    if (isForeign(request, origins)) throw new Forbidden('this was sent from another site');
    next();
  };

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** CORS only keeps the answer from a page of another site: its requests have the credentials of the user. */
export function sameOriginWrites(origins: Origins): RequestHandler {
  const check = sameOrigin(origins);
  return (request, response, next) => (reads.has(request.method) ? next() : check(request, response, next));
}
