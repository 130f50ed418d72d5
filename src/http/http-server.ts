import { createServer, type Server } from 'node:http';
import type { Application } from './messages.ts';

/** How long we wait for a client, in milliseconds. */
export interface Patience {
  /** For the headers of a request, from its first byte. */
  readonly headers: number;
  /** For a whole request, from its first byte: a slow line, not a line that is dead. */
  readonly request: number;
  /** For another request on a connection; longer than proxies wait, so that they never write to a closed one. */
  readonly keepAlive: number;
  /** For any byte to come or go while it is the client's turn. */
  readonly idle: number;
  /** How often the first two are looked at. */
  readonly interval: number;
}

/** Enough for every client that means to go on. */
const usual: Patience = {
  headers: 10_000,
  request: 300_000,
  keepAlive: 65_000,
  idle: 120_000,
  interval: 2_000,
};

/** The server of an application, not yet listening, which nobody holds up by being slow. */
export function createHttpServer(app: Application, patience = usual): Server {
  const { headers, request, keepAlive, idle, interval } = patience;
  const limits = { headersTimeout: headers, requestTimeout: request, keepAliveTimeout: keepAlive };
  const settings = { ...limits, connectionsCheckingInterval: interval, ...app.messages };
  const server = createServer(settings, app);
  server.timeout = idle;
  server.on('request', (message, response) => {
    // Node would cut off whatever is still. While we work out the answer, which may take longer, it is our turn.
    response.on('timeout', (socket) => {
      if (!message.complete || socket.writableLength > 0) socket.destroy();
    });
  });
  return server;
}

/** Takes no more connections, and lets the requests under way end, for so many milliseconds at most. */
export async function closeHttpServer(server: Server, grace: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // Again and again: a connection whose last request has ended would else be kept open for another one.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const timer = setTimeout(() => server.closeAllConnections(), grace);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}
