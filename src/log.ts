import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { unescape as decoded } from 'node:querystring';
import type { RequestHandler } from 'express';
import { type Logger, pino } from 'pino';

export const createLogger = (level: string): Logger => pino({ level });

/** The names of query parameters that can contain credentials (§5). */
export const credentialNames: ReadonlySet<string> = new Set(['access_token', 'token']);

/** The names, in lower case, of the query parameters whose values are not logged. */
const secrets: ReadonlySet<string> = new Set([
  ...credentialNames,
  'client_secret',
  'code',
  'code_verifier',
  'assertion',
  'refresh_token',
  'password',
]);

/** Matches a login token in a path, either as such or as the id of its directory entry. */
const tokenInPath = /(\/v1(?:\/repo\/[^/?]*)?\/(?:token|directory\/([^/?]*))\/)[^?]+/;

/**
 * Masks the credentials in a URL. Parameter names are decoded first, because `%74oken` also stands for `token`.
 */
export const withoutSecrets = (url: string): string =>
  url
    .replace(tokenInPath, (path, before: string, directory?: string) =>
      directory === undefined || decoded(directory) === 'authTokens' ? `${before}…` : path,
    )
    .replace(/([?&])([^?=&#]*)=[^&#]*/g, (parameter, before: string, name: string) =>
      secrets.has(decoded(name).toLowerCase()) ? `${before}${name}=…` : parameter,
    );

const requestId = /^[\w.:@+/=-]{1,128}$/;

/** Returns the value of the `X-Request-Id` header if it is safe to log, and a new id otherwise. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const id = headers['x-request-id'];
  return typeof id === 'string' && requestId.test(id) ? id : randomUUID();
}

/** Logs one line per request. The line contains no headers, no bodies, and no credentials from the URL. */
export const logRequests =
  (log: Logger): RequestHandler =>
  (request, response, next) => {
    const id = requestIdOf(request);
    const start = performance.now();
    response.setHeader('X-Request-Id', id);
    response.once('close', () => {
      const { statusCode, writableFinished } = response;
      const level = statusCode >= 500 ? 'warn' : 'info';
      if (!log.isLevelEnabled(level)) return;
      const { method, originalUrl, ip: remoteAddress } = request;
      const url = withoutSecrets(originalUrl);
      const line = {
        req: { id, method, url, remoteAddress },
        res: { statusCode },
        responseTime: Math.round(performance.now() - start),
      };
      log[level](line, writableFinished ? 'request completed' : 'request aborted');
    });
    next();
  };

const countInterval = 10_000; // milliseconds

/** Counts an event that can occur thousands of times per second. Logs at most one line per interval. */
export function logCount(log: Logger, message: string): (reason?: string) => void {
  let count = 0;
  let last: string | undefined;
  const flush = () => {
    log.warn({ count, reason: last }, message);
    count = 0;
  };
  return (reason) => {
    count += 1;
    last = reason;
    if (count === 1) setTimeout(flush, countInterval).unref();
  };
}
