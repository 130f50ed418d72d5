import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { type Config, ConfigError, readConfig } from './config.ts';
import { connect } from './db/connect.ts';
import { explain } from './db/errors.ts';
import { Unavailable } from './errors.ts';
import { watchLoopDelay } from './http/overload.ts';
import { startSweeping } from './jobs/sweep.ts';
import { createLogger } from './log.ts';
import { ModelError } from './model/model-error.ts';
import { start } from './start.ts';

/** Requests under way have this long to end, in milliseconds. */
const grace = 9_000;

/** How long we wait for a client, in milliseconds. */
interface Patience {
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

let patience: Patience = {
  headers: 10_000,
  request: 300_000,
  keepAlive: 65_000,
  idle: 120_000,
  interval: 2_000,
};

/** For tests, which import this module and have less time; before the server listens. */
export function setPatience(given: Partial<Patience>): void {
  patience = { ...patience, ...given };
}

/** The server of the application, which nobody holds up by being slow. */
function createHttpServer(app: RequestListener): Server {
  const { headers, request, keepAlive, idle, interval } = patience;
  const limits = { headersTimeout: headers, requestTimeout: request, keepAliveTimeout: keepAlive };
  const server = createServer({ ...limits, connectionsCheckingInterval: interval }, app);
  server.timeout = idle;
  server.on('request', (message, response) => {
    // Node would cut off whatever is still. While we work out the answer, which may take longer, it is our turn.
    response.on('timeout', (socket) => {
      if (!message.complete || socket.writableLength > 0) socket.destroy();
    });
  });
  return server;
}

const listen = (server: Server, { PORT, HOST }: Config): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === 'EADDRINUSE';
      const message = isTaken ? `port ${PORT} of ${HOST} is in use: set another PORT` : cause.message;
      reject(new Unavailable(message, { cause: isTaken ? undefined : cause }));
    });
    server.listen(PORT, HOST, () => resolve(server.address() as AddressInfo));
  });

/** The one line that a newcomer needs. */
function invitation(config: Config, { port }: AddressInfo): string {
  const url =
    config.PUBLIC_URL ?? `http://${config.HOST === '127.0.0.1' ? 'localhost' : config.HOST}:${port}`;
  const isStock = config.ADMIN_PASSWORD === 'Administrator';
  const user = isStock ? `${config.ADMIN_USERNAME}:${config.ADMIN_PASSWORD}` : config.ADMIN_USERNAME;
  return `Quire serves ${url} - try: curl -u ${user} ${url}${config.CONTEXT_PATH}/api/v1/path/default-domain`;
}

function say(log: Logger, line: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\n${line}\n\n`);
  else log.info(line);
}

/** Lets requests end, then the database; a second signal ends it all at once. */
function stopOnSignals(log: Logger, stop: () => Promise<void>): void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, 'stopping');
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.fatal({ err: error }, 'did not stop cleanly');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // Again and again: a connection whose last request has ended would else be kept open for another one.
  const idle = setInterval(() => server.closeIdleConnections(), 50);
  const timer = setTimeout(() => server.closeAllConnections(), grace);
  await closed;
  clearInterval(idle);
  clearTimeout(timer);
}

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLogger(config.LOG_LEVEL);
  let isReady = false;
  const database = await connect(config);
  const loopDelay = watchLoopDelay();
  const { app, blobs } = await start(config, database, { log, isReady: () => isReady, loopDelay });
  const server = createHttpServer(app);
  const address = await listen(server, config);
  const stopSweeping = startSweeping(database, blobs, {
    onSwept: (gone) => log.debug({ gone }, 'swept the blob store'),
    onError: (error) => log.error({ err: error }, 'could not sweep the blob store'),
  });
  stopOnSignals(log, async () => {
    isReady = false;
    await Promise.all([stopSweeping(), closeServer(server)]);
    await database.close();
  });
  isReady = true;
  say(log, invitation(config, address));
}

main().catch((error: unknown) => {
  const isOurs = error instanceof ConfigError || error instanceof ModelError;
  const text = isOurs ? error.message : explain(error);
  process.stderr.write(`Quire cannot start:\n${text}\n`);
  process.exit(1);
});
