import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Unavailable } from '../../errors.ts';

/** Nobody but this computer is served. */
export const loopback = '127.0.0.1';

/** Studio's page reports every launch to its makers: the browser is told to ask nobody but us. */
const policy = "default-src 'self' 'unsafe-inline' data: blob:";

/** Hands requests on to Studio, from pages of ours alone: it takes SQL from whoever reaches it. */
export function handOn(port: number, studioPort: number) {
  const hosts = [`localhost:${port}`, `${loopback}:${port}`];
  return (incoming: IncomingMessage, response: ServerResponse): void => {
    const { host = '', origin, ...headers } = incoming.headers;
    const isOurs =
      hosts.includes(host) && (origin === undefined || hosts.includes(origin.replace('http://', '')));
    if (!isOurs) {
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

/** Listens on a port of this computer, 0 taking a free one. @throws Unavailable when it is in use. */
export async function listen(server: Server, port: number): Promise<number> {
  try {
    await once(server.listen(port, loopback), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Unavailable(`port ${port} is in use: choose another one with --port`);
  }
  return (server.address() as AddressInfo).port;
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listen(server, 0);
  server.close();
  return port;
}
