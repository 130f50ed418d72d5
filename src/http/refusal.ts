import type { ServerResponse } from 'node:http';
import { requestIdOf } from '../log.ts';
import { exceptionOf, jsonType } from './errors.ts';

interface HttpRefusal {
  readonly status: number;
  readonly message: string;
  readonly retryAfter: number;
}

/** Refuses in as few steps as there can be: it happens under load. @param headers of every refusal. */
export function createRefuse(
  headers: Readonly<Record<string, string>>,
): (response: ServerResponse, refusal: HttpRefusal) => void {
  const usual = Object.entries({
    ...headers,
    'Content-Type': jsonType('exception'),
    'Cache-Control': 'no-store',
  }).flat();
  return (response, { status, message, retryAfter }) => {
    const requestId = requestIdOf(response.req);
    const body = JSON.stringify(exceptionOf(status, message, requestId));
    const own = ['Content-Length', Buffer.byteLength(body), 'Retry-After', retryAfter];
    response.writeHead(status, [...usual, ...own, 'X-Request-Id', requestId]);
    response.end(body);
  };
}
