import { createServer, type Server } from 'node:http';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config.ts';
import { Unavailable } from '../errors.ts';
import type { Application } from './message-classes.ts';
import { refuseUnreadable } from './unreadable.ts';

/** Milliseconds within which a request must have arrived completely. */
export const longestUpload = 300_000;

// Timeouts in milliseconds. `idle` limits the time without any byte while the server waits for the client.
// `keepAliveTimeout` exceeds that of common proxies, so that the proxy closes idle connections first; otherwise it
// could send a request on a connection that the server is closing.
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
  // A listener instead of a Set of the responses under way: V8 retains the old hash tables of a Set that changes with every
  // request, and through them most responses, until a full garbage collection. Collecting the young garbage took 6 ms then
  // instead of 1 ms, so that one request in a hundred waited for it.
  server.once(lastAnswers, () => {
    app.headListeners.push((response) => response.setHeader('Connection', 'close'));
  });
  server.on('request', (message, response) => {
    // Without a listener Node destroys every idle connection, even while the response is still being computed.
    response.on('timeout', (socket) => {
      if (!message.complete || socket.writableLength > 0) socket.destroy();
    });
  });
  return server;
}

/** The maximum number of connections that wait to be accepted. Clients retry dropped connections only after seconds. */
const backlog = 4_096;

/** Starts listening. @throws Unavailable when the port is in use, or the server cannot listen for another reason. */
export const listen = (server: Server, { PORT, HOST }: Pick<Config, 'PORT' | 'HOST'>): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === 'EADDRINUSE';
      const message = isTaken ? `port ${PORT} of ${HOST} is in use: set another PORT` : cause.message;
      reject(new Unavailable(message, { cause: isTaken ? undefined : cause }));
    });
    server.listen(PORT, HOST, backlog, () => resolve(server.address() as AddressInfo));
  });

/** Sends `Connection: close` with every response from now on. */
export const askToDisconnect = (server: Server): void => void server.emit(lastAnswers);

/**
 * Accepts no more connections, and asks clients to close the existing ones. Requests that arrive on them within the
 * next `linger` milliseconds are still answered: closing a connection at once would fail the requests in transit.
 * @param linger milliseconds.
 */
export async function drainHttpServer(server: Server, linger: number): Promise<void> {
  askToDisconnect(server);
  // The `close` of http.Server would close idle connections at once; the one of net.Server does not.
  const drained = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  await Promise.race([drained, wait(linger, undefined, { ref: false })]);
}

/** Closes the server. @param grace the maximum time to wait for requests in progress, in milliseconds. */
export async function closeHttpServer(server: Server, grace: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // Runs repeatedly, because a connection whose request ends meanwhile would otherwise be kept alive.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const timer = setTimeout(() => server.closeAllConnections(), grace);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}
