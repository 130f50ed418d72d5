import { once } from 'node:events';
import { type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Unavailable } from '../../errors.ts';

export const loopback = '127.0.0.1';

/** A policy that lets the page contact only this server, so that it cannot report to Prisma's servers. */
const policy = "default-src 'self' 'unsafe-inline' data: blob:";

/**
 * Forwards requests to Studio. Requests from pages of other origins are rejected, because Studio runs any SQL that it
 * receives.
 */
export function createProxy(port: number, studioPort: number) {
  const hosts = [`localhost:${port}`, `${loopback}:${port}`];
  return (incoming: IncomingMessage, response: ServerResponse): void => {
    const { host = '', origin, ...headers } = incoming.headers;
    const isSameOrigin =
      hosts.includes(host) && (origin === undefined || hosts.includes(origin.replace('http://', '')));
    if (!isSameOrigin) {
      response.writeHead(403).end();
      return;
    }
    const to = { host: loopback, port: studioPort, method: incoming.method, path: incoming.url, headers };
    const outgoing = request(to, (answer) => {
      response.writeHead(answer.statusCode ?? 502, { ...answer.headers, 'content-security-policy': policy });
      answer.pipe(response);
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
