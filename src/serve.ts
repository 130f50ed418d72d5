import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { OpenDatabase } from './embedded/open-database.ts';
import type { Application } from './http/message-classes.ts';
import type { Front } from './workers/stopping.ts';

// Without a handler, SIGUSR2 terminates the process, and `systemctl reload` can send it while the program is still
// loading. Therefore, all other modules are loaded after this statement.
process.on('SIGUSR2', () => {
  if (process.listenerCount('SIGUSR2') === 1)
    process.stderr.write('SIGUSR2 is ignored, because there are no workers to replace yet.\n');
});

const [
  { ConfigError, isExposed, readConfig, stockPassword },
  { connectionsOfFirst },
  { startFailureMessage },
  { openDatabase },
  { ModelError },
  { loadExtensions },
] = await Promise.all([
  import('./config.ts'),
  import('./db/connections.ts'),
  import('./db/errors.ts'),
  import('./embedded/open-database.ts'),
  import('./model/model-error.ts'),
  import('./extensions/load.ts'),
]);

function invitation(config: Config, { port }: AddressInfo): string {
  const url =
    config.PUBLIC_URL ?? `http://${config.HOST === '127.0.0.1' ? 'localhost' : config.HOST}:${port}`;
  const isStock = config.ADMIN_PASSWORD === stockPassword;
  const user = isStock ? `${config.ADMIN_USERNAME}:${config.ADMIN_PASSWORD}` : config.ADMIN_USERNAME;
  const base = `${url}${config.CONTEXT_PATH}`;
  return `Quire serves ${base} - open it in a browser, or try: curl -u ${user} ${base}/api/v1/path/default-domain`;
}

function announce(log: Logger, line: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\n${line}\n\n`);
  else log.info(line);
}

/**
 * Checks the stored password of the administrator, because ADMIN_PASSWORD has an effect only when the server first
 * starts.
 * @throws ConfigError if it is the default password and others can reach the server
 */
async function requireOwnPassword(database: Database, config: Config): Promise<void> {
  if (!isExposed(config)) return;
  const { userWithStockPassword } = await import('./doctor/checks/accounts.ts');
  const username = await userWithStockPassword(database, config);
  if (username === undefined) return;
  throw new ConfigError(
    `ADMIN_PASSWORD: the stored password of ${username} is the default one; the setting has an effect only when the user is created.
Start the server with HOST=127.0.0.1 and without NODE_ENV, PUBLIC_URL and TRUST_PROXY; change the password:
curl -u ${username}:${stockPassword} -X PUT http://localhost:${config.PORT}${config.CONTEXT_PATH}/api/v1/me/changepassword \\
  -H 'Content-Type: application/json' -d '{"oldPassword": "${stockPassword}", "newPassword": "…"}'
Then start the server again with the current settings.`,
  );
}

/** Serves requests in this process, without workers. */
async function serveHere(config: Config, app: Application, log: Logger): Promise<Front> {
  const [http, { workEnd }] = await Promise.all([
    import('./http/http-server.ts'),
    import('./workers/stop-times.ts'),
  ]);
  process.on('SIGUSR2', () =>
    log.warn('SIGUSR2 is ignored, because without WORKERS there are no workers to replace.'),
  );
  const server = http.createHttpServer(app);
  const address = await http.listen(server, config);
  return {
    address,
    drain: () => http.askToDisconnect(server),
    close: () => http.closeHttpServer(server, workEnd),
  };
}

/** Serves requests, in this process or in workers, until a signal stops the server. */
async function serveFirst(config: Config, opening: Promise<OpenDatabase>): Promise<void> {
  // The embedded database starts in separate processes while the rest of the program loads.
  const [{ database, url, embedded }, { createLogger }, { openServices }, { startWorkers }, stopping, times] =
    await Promise.all([
      opening,
      import('./log.ts'),
      import('./open-services.ts'),
      import('./workers/first-process.ts'),
      import('./workers/stopping.ts'),
      import('./workers/stop-times.ts'),
    ]);
  const log = createLogger(config.LOG_LEVEL);
  if (embedded) log.info(embedded.notice);
  let phase: 'starting' | 'serving' | 'stopping' = 'starting';
  const isReady = () => phase === 'serving';
  const opened = await openServices(config, database, { log, isReady, isServing: config.WORKERS === 1 });
  await requireOwnPassword(database, config);
  const front = await (config.WORKERS === 1
    ? serveHere(config, opened.app, log)
    : startWorkers(config, url, log));
  const jobs = opened.startJobs();
  const drain = (): void => {
    phase = 'stopping';
    front.drain();
  };
  const stop = async (): Promise<void> => {
    phase = 'stopping';
    const stopJobs = async () => (await jobs)();
    await opened.close([stopJobs(), front.close()], times.workEnd);
    await database.close();
  };
  const end = stopping.endingProcess(log, stop, { seconds: config.DRAIN_SECONDS, begin: drain });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  await jobs; // Signal handlers are installed before this wait, because the server may already be serving clients.
  if (phase !== 'starting') return;
  opened.metrics.history.begin();
  phase = 'serving';
  announce(log, invitation(config, front.address));
}

async function serve(): Promise<void> {
  const config = readConfig();
  await loadExtensions(config.EXTENSIONS);
  if (!cluster.isWorker) return serveFirst(config, openDatabase(config, connectionsOfFirst(config)));
  const [{ database }, { runWorker }] = await Promise.all([
    openDatabase(config),
    import('./workers/run-worker.ts'),
  ]);
  return runWorker(config, database);
}

serve().catch((error: unknown) => {
  const isExplained = error instanceof ConfigError || error instanceof ModelError;
  const text = isExplained ? error.message : startFailureMessage(error);
  process.stderr.write(`Quire cannot start:\n${text}\n`);
  process.exit(1);
});
