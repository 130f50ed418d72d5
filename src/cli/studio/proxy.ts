import { once } from 'node:events';
import { type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Unavailable } from '../../errors.ts';

export const loopback = '127.0.0.1';

/** A policy that lets the page contact only this server, so that it cannot report to Prisma's servers. */
const policy = "default-src 'self' 'unsafe-inline' data: blob:";

const answerWith = (
  { statusCode = 502, headers }: IncomingMessage,
  response: ServerResponse,
): ServerResponse => response.writeHead(statusCode, { ...headers, 'content-security-policy': policy });

/** The beginning of a response with the error of PostgreSQL for a write in a read-only transaction. */
const refusedWrite = /^\[\{"name":"PostgresError",[^[\]{}]*"code":"25006"/;

const explanation =
  'Nothing was changed, because Studio is read-only. To change rows, stop it, and start it again with --write.';

/**
 * Sends the response to a statement. If it is the error for a refused write, it is replaced by an explanation: Studio passes
 * on errors of PostgreSQL without their messages, and shows the text of a failed response in its console.
 */
async function answerStatement(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(answer);
  if (refusedWrite.test(body.toString('utf8', 0, 1000))) {
    response.writeHead(403, { 'content-type': 'text/plain', 'content-security-policy': policy });
    response.end(explanation);
  } else {
    answerWith(answer, response).end(body);
  }
}

/**
 * Forwards requests to Studio. Requests from pages of other origins are rejected, because Studio runs any SQL that it
 * receives.
 */
export function createProxy(port: number, studioPort: number) {
  const hosts = [`localhost:${port}`, `${loopback}:${port}`];
  return (incoming: IncomingMessage, response: ServerResponse): void => {
    const { host = '', origin, 'accept-encoding': _, ...headers } = incoming.headers;
    const isSameOrigin =
      hosts.includes(host) && (origin === undefined || hosts.includes(origin.replace('http://', '')));
    if (!isSameOrigin) {
      response.writeHead(403).end();
      return;
    }
    const to = { host: loopback, port: studioPort, method: incoming.method, path: incoming.url, headers };
    const outgoing = request(to, (answer) => {
      if (incoming.url === '/bff') answerStatement(answer, response).catch(() => response.destroy());
      else answer.pipe(answerWith(answer, response));
    });
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  };
}

/**
 * Listens on a port of the loopback interface.
 * @param port 0 for any free port.
 * @throws Unavailable if it is in use.
 */
export async function listenOnLoopback(server: Server, port: number): Promise<number> {
  try {
    await once(server.listen(port, loopback), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Unavailable(`Port ${port} is in use. Choose another one with --port.`);
  }
  return (server.address() as AddressInfo).port;
}
