import type { Request, RequestHandler } from 'express';
import { Forbidden } from '../errors.ts';

/** Whether a browser says that a page of another site has sent this. Programs say nothing of the kind. */
function isForeign({ headers, host }: Request, publicUrl: string | undefined): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (origin === undefined) return false;
  if (!URL.canParse(origin)) return true; // "null": a page that hides where it is from
  const own = [host, publicUrl && new URL(publicUrl).host];
  return !own.includes(new URL(origin).host);
}

/** Lets nobody grant anything by visiting a page of somebody else. @throws Forbidden */
export const sameOrigin =
  (publicUrl: string | undefined): RequestHandler =>
  (request, _response, next) => {
    if (isForeign(request, publicUrl)) throw new Forbidden('this was sent from another site');
    next();
  };
