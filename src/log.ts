import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { unescape as decoded } from 'node:querystring';
import type { RequestHandler } from 'express';
import { type Logger, pino } from 'pino';

export const createLogger = (level: string): Logger => pino({ level });

/** Query parameters in which credentials are taken (§5). */
export const credentialNames: ReadonlySet<string> = new Set(['access_token', 'token']);

/** Names of parameters of an address that are not logged, in lower case. */
const secrets: ReadonlySet<string> = new Set([
  ...credentialNames,
  'client_secret',
  'code',
  'code_verifier',
  'assertion',
  'refresh_token',
  'password',
]);

/** A login token, which is the id of its entry too. */
const tokenInPath = /(\/v1(?:\/repo\/[^/?]*)?\/(?:token|directory\/([^/?]*))\/)[^?]+/;

/** Masks credentials in an address; names are decoded first, since `%74oken` is the parameter `token` too. */
export const withoutSecrets = (url: string): string =>
  url
    .replace(tokenInPath, (path, before: string, directory?: string) =>
      directory === undefined || decoded(directory) === 'authTokens' ? `${before}…` : path,
    )
    .replace(/([?&])([^?=&#]*)=[^&#]*/g, (parameter, before: string, name: string) =>
      secrets.has(decoded(name).toLowerCase()) ? `${before}${name}=…` : parameter,
    );

const requestId = /^[\w.:@+/=-]{1,128}$/;

/** The header `X-Request-Id` if it is safe to log, else a new id. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && requestId.test(given) ? given : randomUUID();
}

/** Logs one line per request, without headers, bodies, and the credentials in addresses. */
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

/** Counts an event that may happen thousands of times a second; logs at most one line per interval. */
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
