import type { Request, RequestHandler } from 'express';
import { Forbidden } from '../errors.ts';

/** Where this server is, as its clients see it, and the other origins whose pages it serves. */
export interface Origins {
  /** PUBLIC_URL */
  readonly publicUrl: string | undefined;
  /** CORS_ORIGINS */
  readonly named: readonly string[];
}

/** Whether a browser says that a page of a site that is none of these has sent this. Programs say nothing of the kind. */
function isForeign({ headers, host }: Request, { publicUrl, named }: Origins): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && named.includes(origin)) return false;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true; // "null": a page that hides where it is from
  const own = [host, publicUrl && new URL(publicUrl).host];
  return !own.includes(new URL(origin).host);
}

/** Lets nobody do anything by visiting a page of somebody else. @throws Forbidden */
export const sameOrigin =
  (origins: Origins): RequestHandler =>
  (request, _response, next) => {
    if (isForeign(request, origins)) throw new Forbidden('this was sent from another site');
    next();
  };

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * The same for whatever changes something, wherever it is. A browser adds the credentials that it knows to what any page
 * sends here, and CORS alone only keeps the answer from that page. @throws Forbidden
 */
export function writesFromHere(origins: Origins): RequestHandler {
  const check = sameOrigin(origins);
  return (request, response, next) => (reads.has(request.method) ? next() : check(request, response, next));
}
