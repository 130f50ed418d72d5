import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import compression from 'compression';
import cors from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import { type Origins, writesFromHere } from './same-origin.ts';

/** What browsers of other origins may see besides the body. */
const exposed = [
  'ETag',
  'Idempotency-Key',
  'Content-Disposition',
  'Content-Range',
  'Location',
  'Retry-After',
  'Server-Timing',
  'X-Request-Id',
];

/** What helmet says of an answer: the same for all of them, so it is asked once. */
export function securityHeaders(isShared: boolean): Readonly<Record<string, string>> {
  const protect = helmet({
    // Answers are data, not pages: nothing in them may run or be framed.
    contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // Named origins may use answers; whether others may is for CORS to say.
    crossOriginResourcePolicy: { policy: isShared ? 'cross-origin' : 'same-origin' },
    // Whether there is TLS, only the proxy in front knows.
    strictTransportSecurity: false,
  });
  const example = new ServerResponse(new IncomingMessage(new Socket()));
  protect(example.req, example, () => {});
  return example.getHeaders() as Record<string, string>;
}

function protectedBy(securing: Readonly<Record<string, string>>): RequestHandler {
  const headers = Object.entries(securing);
  return (_, response, next) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}

/** Compresses what is over 1 kB for those who can read it, and leaves the rest alone. */
function compressed(): RequestHandler {
  const compress = compression({ threshold: 1024 });
  return (request, response, next) => {
    if (request.headers['accept-encoding']) {
      compress(request, response, next);
      return;
    }
    response.setHeader('Vary', 'Accept-Encoding');
    next();
  };
}

/**
 * Security headers on every answer, answers over 1 kB compressed when asked for, and other origins served only when
 * named: what stands before every route.
 */
export function guards(origins: Origins): RequestHandler[] {
  const isShared = origins.named.length > 0;
  return [
    protectedBy(securityHeaders(isShared)),
    ...(isShared
      ? [cors({ origin: [...origins.named], credentials: true, exposedHeaders: exposed, maxAge: 600 })]
      : []),
    writesFromHere(origins),
    compressed(),
  ];
}

/** For pages of our own, which bring their script with them. */
export const pagePolicy: RequestHandler = (_, response, next) => {
  const self = "'self' 'unsafe-inline' data: blob:";
  response.set(
    'Content-Security-Policy',
    `default-src ${self}; script-src ${self} 'unsafe-eval'; frame-ancestors 'none'`,
  );
  next();
};
