import { isUtf8 } from 'node:buffer';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Invalid } from '../errors.ts';
import { exceptionOf, jsonType } from './errors.ts';

/** The status and message for each error code of Node's HTTP parser. Any other code results in status 400. */
const faults: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The URL and the headers are larger than 16 KB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are larger than 16 KB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

function refusalOf(code = ''): string {
  const [status, message] = faults[code] ?? [400, 'The request is not valid HTTP.'];
  const body = JSON.stringify(exceptionOf(status, message, undefined));
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${jsonType('exception')}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    'X-Content-Type-Options: nosniff',
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}

/**
 * Responds to requests that cannot be parsed as HTTP with a JSON error body (§7), which Node itself would not send.
 */
export function refuseUnreadable(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', ({ socket }, response) => void answers.set(socket, response));
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    const answer = answers.get(socket);
    const isHalfSent = answer?.headersSent === true && !answer.writableFinished;
    if (!socket.writable || isHalfSent) return void socket.destroy();
    socket.end(refusalOf(code), () => socket.destroy());
  });
}

export const notUtf8 = (): Invalid => new Invalid('The body is not encoded in UTF-8.');

/**
 * Rejects bodies that are not valid UTF-8. Express would replace the invalid bytes with replacement characters,
 * which would then be stored.
 * @throws Invalid
 */
export function requireUtf8(_request: unknown, _response: unknown, body: Buffer, encoding: string): void {
  if (/^utf-?8$/i.test(encoding) && !isUtf8(body)) throw notUtf8();
}
