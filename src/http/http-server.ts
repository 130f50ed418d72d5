import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { Unavailable } from '../errors.ts';
import type { Application } from './message-classes.ts';
import { refuseUnreadable } from './unreadable.ts';

/** Milliseconds in which a request has arrived. */
export const longestUpload = 300_000;

// Timeouts of a client in milliseconds; `idle` is for any byte while the server waits for the client.
// `keepAliveTimeout` is longer than that of proxies, which must not write to a closed connection.
const defaultTimeouts = {
  headersTimeout: 10_000,
  requestTimeout: longestUpload,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: 65_000,
  idle: 120_000,
};

const lastAnswers = 'last answers';

export function createHttpServer(app: Application, { idle, ...timeouts } = defaultTimeouts): Server {
  const server = createServer({ ...timeouts, ...app.messages }, app);
  server.timeout = idle;
  refuseUnreadable(server);
  const underWay = new Set<ServerResponse>();
  server.once(lastAnswers, () => {
    for (const response of underWay) if (!response.headersSent) response.setHeader('Connection', 'close');
    server.prependListener('request', (_, response) => response.setHeader('Connection', 'close'));
  });
  server.on('request', (message, response) => {
    underWay.add(response);
    response.once('close', () => underWay.delete(response));
    // Without a listener Node cuts off every idle connection, also while the answer is still being computed.
    response.on('timeout', (socket) => {
      if (!message.complete || socket.writableLength > 0) socket.destroy();
    });
  });
  return server;
}

/** Connections that may wait to be accepted; clients of dropped ones retry seconds later. */
const backlog = 4_096;

/** @throws Unavailable when the port is in use. */
export const listen = (server: Server, { PORT, HOST }: Pick<Config, 'PORT' | 'HOST'>): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === 'EADDRINUSE';
      const message = isTaken ? `port ${PORT} of ${HOST} is in use: set another PORT` : cause.message;
      reject(new Unavailable(message, { cause: isTaken ? undefined : cause }));
    });
    server.listen(PORT, HOST, backlog, () => resolve(server.address() as AddressInfo));
  });

/** Asks clients to close their connections with the next answer. */
export const askToDisconnect = (server: Server): void => void server.emit(lastAnswers);

/**
 * Takes no more connections, and asks clients to close those that they have: for some time their next
 * request is answered. A connection that is closed while a request is on its way fails that request.
 * @param linger milliseconds.
 */
export async function drainHttpServer(server: Server, linger: number): Promise<void> {
  askToDisconnect(server);
  // Not `close` of HTTP, which cuts off idle connections at once.
  const drained = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  await Promise.race([drained, wait(linger, undefined, { ref: false })]);
}

/** @param grace the limit of the wait for requests under way, in milliseconds. */
export async function closeHttpServer(server: Server, grace: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // Repeatedly: a connection whose last request ends meanwhile would else be kept open for another one.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const timer = setTimeout(() => server.closeAllConnections(), grace);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}
