import compression from 'compression';
import cors from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** What browsers of other origins may see besides the body. */
const exposed = [
  'ETag',
  'Content-Disposition',
  'Content-Range',
  'Retry-After',
  'Server-Timing',
  'X-Request-Id',
];

/**
 * Security headers on every answer, answers over 1 kB compressed when asked for, and other origins served only when
 * named: what stands before every route.
 */
export function guards(origins: readonly string[]): RequestHandler[] {
  return [
    helmet({
      // Answers are data, not pages: nothing in them may run or be framed.
      contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
      // Named origins may use answers; whether others may is for CORS to say.
      crossOriginResourcePolicy: { policy: origins.length > 0 ? 'cross-origin' : 'same-origin' },
      // Whether there is TLS, only the proxy in front knows.
      strictTransportSecurity: false,
    }),
    ...(origins.length > 0
      ? [cors({ origin: [...origins], credentials: true, exposedHeaders: exposed, maxAge: 600 })]
      : []),
    compression({ threshold: 1024 }),
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
