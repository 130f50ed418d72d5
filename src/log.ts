import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Logger, pino } from 'pino';
import { type HttpLogger, pinoHttp } from 'pino-http';

/** JSON lines on standard output. */
export const createLogger = (level: string): Logger => pino({ level });

/** Parameters of an address that are credentials. */
const secret = /([?&](?:access_token|token|client_secret|code|assertion|password)=)[^&#]*/gi;

const sane = /^[\w.:@+/=-]{1,128}$/;

/** The caller's id for the request when it sends a sane one, else a new one. */
function requestId({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && sane.test(given) ? given : randomUUID();
}

/** One line per request; neither headers nor bodies nor credentials in addresses are written. */
export const createHttpLogger = (logger: Logger): HttpLogger =>
  pinoHttp({
    logger,
    genReqId: (request, response) => {
      const id = requestId(request);
      response.setHeader('X-Request-Id', id);
      return id;
    },
    customLogLevel: (_, { statusCode }) => (statusCode >= 500 ? 'warn' : 'info'),
    serializers: {
      req: ({ id, method, url, remoteAddress }) => ({
        id,
        method,
        url: String(url).replace(secret, '$1…'),
        remoteAddress,
      }),
      res: ({ statusCode }) => ({ statusCode }),
    },
  });
