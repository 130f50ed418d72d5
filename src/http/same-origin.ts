import type { Request, RequestHandler } from 'express';
import { Forbidden } from '../errors.ts';

export interface Origins {
  readonly publicUrl: string | undefined;
  readonly allowed: readonly string[];
}

/** Judged by headers that only browsers send. */
function isForeign({ headers, host }: Request, { publicUrl, allowed }: Origins): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined && allowed.includes(origin)) return false;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true; // "null": the page hides its origin
  const own = [host, publicUrl && new URL(publicUrl).host];
  return !own.includes(new URL(origin).host);
}

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
