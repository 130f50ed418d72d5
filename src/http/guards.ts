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

/** The headers that helmet sets. They are the same for every answer, so helmet runs once. */
export function securityHeaders(isShared: boolean): Readonly<Record<string, string>> {
  const protect = helmet({
    // Answers are data, not pages: no part of them may run or be framed.
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // CORS decides which other origins may use answers.
    crossOriginResourcePolicy: { policy: isShared ? 'cross-origin' : 'same-origin' },
    // Only the proxy in front knows whether there is TLS.
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

/** Compresses answers over 1 kB. For clients that accept no encoding even calling the library costs time. */
function compressAnswers(): RequestHandler {
  const compress = compression({ threshold: 1024 });
  return (request, response, next) => {
    if (request.headers['accept-encoding']) return void compress(request, response, next);
    response.vary('Accept-Encoding');
    next();
  };
}

/**
 * Answers preflights; other OPTIONS belong to the routes, which list their verbs.
 * @throws Forbidden for a preflight of an origin that is not allowed, which credentials would not help.
 */
function share(allowed: readonly string[]): RequestHandler {
  const shared = cors({ origin: [...allowed], credentials: true, exposedHeaders, maxAge: 600 });
  return (request, response, next) => {
    const { method, headers } = request;
    const isPreflight = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
    if (isPreflight && !allowed.includes(headers.origin ?? '')) {
      const origin = headers.origin ?? 'a request without Origin';
      throw new Forbidden(
        `Pages of ${origin} cannot call this server: CORS_ORIGINS does not list that origin. The administrator of the server can add it.`,
      );
    }
    if (allowed.length === 0 || (method === 'OPTIONS' && !isPreflight)) return next();
    shared(request, response, next);
  };
}

/**
 * Handlers before every route: security headers, CORS, no writes from other sites, compression.
 * @param isLocal whether only this computer reaches the server.
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

/** The page of GraphiQL contains its script. */
export const pagePolicy: RequestHandler = (_, response, next) => {
  const self = "'self' 'unsafe-inline' data: blob:";
  response.set(
    'Content-Security-Policy',
    `default-src ${self}; script-src ${self} 'unsafe-eval'; frame-ancestors 'none'`,
  );
  next();
};
