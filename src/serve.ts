import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { type Config, ConfigError, readConfig } from './config.ts';
import { connect } from './db/connect.ts';
import { explain } from './db/errors.ts';
import { Unavailable } from './errors.ts';
import { closeHttpServer, createHttpServer, type Patience } from './http/http-server.ts';
import { startJobs } from './jobs/index.ts';
import { createLogger } from './log.ts';
import { ModelError } from './model/model-error.ts';
import { start } from './start.ts';

/** Requests under way have this long to end, in milliseconds. */
const grace = 9_000;

/** The process ends after so many milliseconds, whatever it waits for still: whoever tells it to will not wait for ever. */
const longest = 9_500;

/** Connections that may wait to be taken in: beyond it the system says nothing, and clients try again seconds later. */
const backlog = 4_096;

const listen = (server: Server, { PORT, HOST }: Config): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === 'EADDRINUSE';
      const message = isTaken ? `port ${PORT} of ${HOST} is in use: set another PORT` : cause.message;
      reject(new Unavailable(message, { cause: isTaken ? undefined : cause }));
    });
    server.listen(PORT, HOST, backlog, () => resolve(server.address() as AddressInfo));
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

/** Lets requests end, then the database, for as long as there is; a second signal ends it all at once. */
function stopOnSignals(log: Logger, stop: () => Promise<void>): void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, 'stopping');
    setTimeout(() => {
      log.warn('what was under way did not end in time, and is cut off');
      process.exit(0);
    }, longest);
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

async function run(patience: Patience | undefined): Promise<void> {
  const config = readConfig();
  const log = createLogger(config.LOG_LEVEL);
  let isReady = false;
  const database = await connect(config);
  const { app, blobs, journal, executing } = await start(config, database, { log, isReady: () => isReady });
  const server = createHttpServer(app, patience);
  const address = await listen(server, config);
  const stopJobs = startJobs(
    { database, blobs, auditDays: config.AUDIT_DAYS },
    {
      onDone: (job, gone) => log.debug({ job, gone }, 'a job is done'),
      onError: (job, error) => log.error({ job, err: error }, 'a job failed'),
    },
  );
  stopOnSignals(log, async () => {
    isReady = false;
    await Promise.all([stopJobs(), closeHttpServer(server, grace), executing.close(grace)]);
    await journal.close();
    await database.close();
  });
  isReady = true;
  say(log, invitation(config, address));
}

/** Runs the server as this process, until a signal stops it; exits with 1, saying why, when it cannot start. */
export function serve({ patience }: { patience?: Patience } = {}): void {
  run(patience).catch((error: unknown) => {
    const isOurs = error instanceof ConfigError || error instanceof ModelError;
    const text = isOurs ? error.message : explain(error);
    process.stderr.write(`Quire cannot start:\n${text}\n`);
    process.exit(1);
  });
}
