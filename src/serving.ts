import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { type Config, ConfigError, isExposed, stockPassword, stockUsername } from './config.ts';
import type { Database } from './db/database.ts';
import type { OpenDatabase } from './embedded/open-database.ts';
import { askToDisconnect, closeHttpServer, createHttpServer, listen } from './http/http-server.ts';
import type { Application } from './http/message-classes.ts';
import { startJobs } from './jobs/index.ts';
import { logJobs } from './jobs/log-jobs.ts';
import { createLogger } from './log.ts';
import { openServices } from './open-services.ts';
import { findWithPassword } from './store/authorities/passwords.ts';
import { startWorkers } from './workers/first-process.ts';
import { workEnd } from './workers/stop-times.ts';
import { endingProcess, type Front } from './workers/stopping.ts';

function invitation(config: Config, { port }: AddressInfo): string {
  const url =
    config.PUBLIC_URL ?? `http://${config.HOST === '127.0.0.1' ? 'localhost' : config.HOST}:${port}`;
  const isStock = config.ADMIN_PASSWORD === stockPassword;
  const user = isStock ? `${config.ADMIN_USERNAME}:${config.ADMIN_PASSWORD}` : config.ADMIN_USERNAME;
  const base = `${url}${config.CONTEXT_PATH}`;
  return `Quire serves ${base} - open it in a browser, or try: curl -u ${user} ${base}/api/v1/path/default-domain`;
}

function say(log: Logger, line: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\n${line}\n\n`);
  else log.info(line);
}

/** ADMIN_PASSWORD counts at the first start: the stored password may be another. @throws ConfigError */
async function requireOwnPassword(database: Database, config: Config): Promise<void> {
  if (!isExposed(config)) return;
  const username = await findWithPassword(database, [config.ADMIN_USERNAME, stockUsername], stockPassword);
  if (username === undefined) return;
  throw new ConfigError(
    `ADMIN_PASSWORD: the stored password of ${username} is the default one; the setting counts only when the user is created.
Start the server with HOST=127.0.0.1 and without NODE_ENV, PUBLIC_URL and TRUST_PROXY; change the password:
curl -u ${username}:${stockPassword} -X PUT http://localhost:${config.PORT}${config.CONTEXT_PATH}/api/v1/me/changepassword \\
  -H 'Content-Type: application/json' -d '{"oldPassword": "${stockPassword}", "newPassword": "…"}'
Then start it again as now.`,
  );
}

async function serveHere(config: Config, app: Application, log: Logger): Promise<Front> {
  process.on('SIGUSR2', () => log.warn('SIGUSR2 is ignored: without WORKERS there are none to replace'));
  const server = createHttpServer(app);
  const address = await listen(server, config);
  return {
    address,
    drain: () => askToDisconnect(server),
    close: () => closeHttpServer(server, workEnd),
  };
}

/** Serves until a signal stops it: in this process, or in others that it starts. */
export async function runServer(config: Config, { database, url, embedded }: OpenDatabase): Promise<void> {
  const log = createLogger(config.LOG_LEVEL);
  if (embedded) log.info(embedded.notice);
  let phase: 'starting' | 'serving' | 'stopping' = 'starting';
  const isReady = () => phase === 'serving';
  const opened = await openServices(config, database, { log, isReady, isServing: config.WORKERS === 1 });
  const { app, services, metrics } = opened;
  await requireOwnPassword(database, config);
  const front = await (config.WORKERS === 1 ? serveHere(config, app, log) : startWorkers(config, url, log));
  const jobs = startJobs(services, logJobs(log));
  const drain = (): void => {
    phase = 'stopping';
    front.drain();
  };
  const stop = async (): Promise<void> => {
    phase = 'stopping';
    const stopJobs = async () => (await jobs)();
    await opened.close([stopJobs(), front.close()], workEnd);
    await database.close();
  };
  const end = endingProcess(log, stop, { seconds: config.DRAIN_SECONDS, begin: drain });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  await jobs; // clients may be served by now, so the signals count before
  if (phase !== 'starting') return;
  metrics.history.begin();
  phase = 'serving';
  say(log, invitation(config, front.address));
}
