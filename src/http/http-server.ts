import { createServer, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { Unavailable } from '../errors.ts';
import type { Application } from './message-classes.ts';
import { refuseUnreadable } from './unreadable.ts';

/** The number of milliseconds within which a request must be received completely. */
export const longestUpload = 300_000;

// Timeouts in milliseconds. `idle` is the maximum time for which the server waits for the client without receiving a
// byte. `keepAliveTimeout` is longer than in common proxies, so that a proxy closes idle connections first. Otherwise
// the proxy could send a request on a connection that the server is about to close.
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
  // A listener is used instead of a Set of the responses in progress. If a Set changes with every request, V8 keeps its
  // old hash tables, and through them most responses, until a full garbage collection. With a Set, a minor garbage
  // collection took 6 ms instead of 1 ms, which delayed one request in a hundred.
  server.once(lastAnswers, () => {
    app.headListeners.push((response) => response.setHeader('Connection', 'close'));
  });
  server.on('request', (message, response) => {
    // Without a listener, Node closes every idle connection, even while the response is still being computed.
    response.on('timeout', (socket) => {
      if (!message.complete || socket.writableLength > 0) socket.destroy();
    });
  });
  return server;
}

/**
 * The maximum number of connections waiting to be accepted. Clients take several seconds to retry a dropped
 * connection.
 */
const backlog = 4_096;

/**
 * Starts listening.
 * @throws Unavailable if the port is in use or the server cannot listen for another reason
 */
export const listen = (server: Server, { PORT, HOST }: Pick<Config, 'PORT' | 'HOST'>): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === 'EADDRINUSE';
      const message = isTaken
        ? `Port ${PORT} of ${HOST} is in use. Set PORT to another port.`
        : cause.message;
      reject(new Unavailable(message, { cause: isTaken ? undefined : cause }));
    });
    server.listen(PORT, HOST, backlog, () => resolve(server.address() as AddressInfo));
  });

/** Makes every further response contain the header `Connection: close`. */
export const askToDisconnect = (server: Server): void => void server.emit(lastAnswers);

/**
 * Stops accepting connections and asks clients to close the existing ones. Requests that arrive on existing
 * connections within the next `linger` milliseconds are still processed, because closing the connections
 * immediately would make requests in transit fail.
 */
export async function drainHttpServer(server: Server, linger: number): Promise<void> {
  askToDisconnect(server);
  // `http.Server` overrides `close` to close idle connections immediately. The `close` method of `net.Server` leaves
  // them open.
  const drained = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  await Promise.race([drained, wait(linger, undefined, { ref: false })]);
}

/**
 * Closes the server.
 * @param grace the maximum time in milliseconds to wait for requests in progress
 */
export async function closeHttpServer(server: Server, grace: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // Idle connections are closed repeatedly. Otherwise, a connection whose request ends in the meantime would be kept
  // alive.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const timer = setTimeout(() => server.closeAllConnections(), grace);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}
