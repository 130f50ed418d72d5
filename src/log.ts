import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { unescape as decoded } from 'node:querystring';
import type { RequestHandler } from 'express';
import { type Logger, pino } from 'pino';

/** JSON lines on standard output. */
export const createLogger = (level: string): Logger => pino({ level });

/** Names of parameters of an address that are credentials, in lower case. */
const secrets: ReadonlySet<string> = new Set([
  ...['access_token', 'token', 'client_secret', 'code', 'assertion', 'password'],
]);

/** An address without credentials, however their names are spelled: whoever reads them decodes them too. */
const withoutSecrets = (url: string): string =>
  url.replace(/([?&])([^=&#]*)=[^&#]*/g, (parameter, before: string, name: string) =>
    secrets.has(decoded(name).toLowerCase()) ? `${before}${name}=…` : parameter,
  );

const sane = /^[\w.:@+/=-]{1,128}$/;

/** The caller's id for the request when it sends a sane one, else a new one. */
export function requestIdOf({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && sane.test(given) ? given : randomUUID();
}

/** One line per request; neither headers nor bodies nor credentials in addresses are written. */
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

/** Between two lines about the same thing, in milliseconds. */
const pause = 10_000;

/** For what may happen thousands of times a second: how often it did, in a line now and then. */
export function logCount(log: Logger, message: string): () => void {
  let count = 0;
  const tell = () => {
    log.warn({ count }, message);
    count = 0;
  };
  return () => {
    count += 1;
    if (count === 1) setTimeout(tell, pause).unref();
  };
}
