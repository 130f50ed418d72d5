import type { ServerResponse } from 'node:http';
import { requestIdOf } from '../log.ts';
import { exceptionOf } from '../rest/errors.ts';

/** What is said to whom nothing is done for. */
export interface Refusal {
  readonly status: 429 | 503;
  readonly message: string;
  /** In seconds. */
  readonly retryAfter: number;
}

/** Tells of a refusal in as few steps as there can be: what is refused is to cost next to nothing. */
export type Refuse = (response: ServerResponse, refusal: Refusal) => void;

/** @param headers what stands on every refusal. */
export function refusing(headers: Readonly<Record<string, string>>): Refuse {
  const usual = [
    ...Object.entries(headers).flat(),
    ...['Content-Type', 'application/json; charset=utf-8', 'Cache-Control', 'no-store'],
  ];
  return (response, { status, message, retryAfter }) => {
    const requestId = requestIdOf(response.req);
    const body = JSON.stringify(exceptionOf(status, message, requestId));
    const own = ['Content-Length', Buffer.byteLength(body), 'Retry-After', retryAfter];
    response.writeHead(status, [...usual, ...own, 'X-Request-Id', requestId]);
    response.end(body);
  };
}
