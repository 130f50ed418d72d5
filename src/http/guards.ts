import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import compression from 'compression';
import cors from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { Forbidden } from '../errors.ts';
import { type Origins, ownNames, sameOriginWrites } from './same-origin.ts';

const exposedHeaders = [
  'Accept-Ranges',
  'ETag',
  'Idempotency-Key',
  'Content-Disposition',
  'Content-Range',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'Server-Timing',
  'Warning',
  'X-Request-Id',
  'X-Search-Delay',
];

/** Returns the headers that helmet sets. They are the same for all responses, so helmet runs only once. */
export function securityHeaders(isShared: boolean): Readonly<Record<string, string>> {
  const protect = helmet({
    // Responses are data rather than pages, so browsers must not execute or frame them.
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // CORS determines which other origins can read responses.
    crossOriginResourcePolicy: { policy: isShared ? 'cross-origin' : 'same-origin' },
    // This header is omitted, because only the reverse proxy knows whether the connection uses TLS.
    strictTransportSecurity: false,
  });
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  protect(response.req, response, () => {});
  return response.getHeaders() as Record<string, string>;
}

function setSecurityHeaders(isShared: boolean): RequestHandler {
  const headers = Object.entries(securityHeaders(isShared));
  return (_, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/**
 * Compresses responses larger than 1 kB. Requests that do not accept compressed responses skip the library, because
 * even calling it takes measurable time.
 */
function compressAnswers(): RequestHandler {
  const compress = compression({ threshold: 1024 });
  return (request, response, next) => {
    if (request.headers['accept-encoding']) return void compress(request, response, next);
    response.vary('Accept-Encoding');
    next();
  };
}

/**
 * Handles CORS and responds to preflight requests. Other OPTIONS requests are passed on to the routes, which respond
 * with a list of their methods.
 * @throws Forbidden for a preflight request from an origin that is not allowed; a 401 would be misleading, because
 * credentials would not help
 */
function share(allowed: readonly string[]): RequestHandler {
  const shared = cors({ origin: [...allowed], credentials: true, exposedHeaders, maxAge: 600 });
  return (request, response, next) => {
    const { method, headers } = request;
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    if (isPreflight && !allowed.includes(headers.origin ?? '')) {
      const origin = headers.origin ?? 'a request without Origin';
      throw new Forbidden(
        `Pages from ${origin} cannot call this server, because CORS_ORIGINS does not include this origin. Ask the administrator of the server to add it.`,
      );
    }
    if (allowed.length === 0 || (method === 'OPTIONS' && !isPreflight)) return next();
    shared(request, response, next);
  };
}

/**
 * Returns the handlers that run before every route: security headers, CORS, the rejection of cross-site writes, and
 * compression.
 * @param isLocal whether the server can be reached only from this computer
 */
export function guards(origins: Origins, isLocal: boolean): RequestHandler[] {
  const isShared = origins.allowed.length > 0;
  return [
    setSecurityHeaders(isShared),
    share(origins.allowed),
    ...(isLocal ? [ownNames] : []),
    sameOriginWrites(origins),
    compressAnswers(),
  ];
}

/** Sets the content security policy of the GraphiQL page, which contains inline scripts. */
export const pagePolicy: RequestHandler = (_, response, next) => {
  const self = "'self' 'unsafe-inline' data: blob:";
  response.set(
    'Content-Security-Policy',
    `default-src ${self}; script-src ${self} 'unsafe-eval'; frame-ancestors 'none'`,
  );
  next();
};
