import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { type Config, ConfigError, isExposed, stockPassword, stockUsername } from './config.ts';
import type { Database } from './db/database.ts';
import type { OpenDatabase } from './embedded/open-database.ts';
import { closeHttpServer, createHttpServer, listen } from './http/http-server.ts';
import { startJobs } from './jobs/index.ts';
import { createLogger } from './log.ts';
import { prepareApp } from './prepare-app.ts';
import { findWithPassword } from './store/authorities/passwords.ts';

/** The time that running requests have to end, in milliseconds. */
const grace = 9_000;

// The process ends after so many milliseconds whatever is still running, since supervisors do not wait for
// ever.
const longest = 9_500;

/** A line with a command to try. */
function invitation(config: Config, { port }: AddressInfo): string {
  const url =
    config.PUBLIC_URL ?? `http://${config.HOST === '127.0.0.1' ? 'localhost' : config.HOST}:${port}`;
  const isStock = config.ADMIN_PASSWORD === stockPassword;
  const user = isStock ? `${config.ADMIN_USERNAME}:${config.ADMIN_PASSWORD}` : config.ADMIN_USERNAME;
  return `Quire serves ${url} - try: curl -u ${user} ${url}${config.CONTEXT_PATH}/api/v1/path/default-domain`;
}

function say(log: Logger, line: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\n${line}\n\n`);
  else log.info(line);
}

/** Ends the process in order at the first signal, and at once at the second. */
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

/** Serves until a signal stops it. */
export async function runServer(config: Config, { database, embedded }: OpenDatabase): Promise<void> {
  const log = createLogger(config.LOG_LEVEL);
  let isReady = false;
  if (embedded) log[embedded.isFallback ? 'warn' : 'info'](embedded.notice);
  const { app, blobs, secrets, journal, searchIndex, executing, conversions, stopBulk } = await prepareApp(
    config,
    database,
    {
      log,
      isReady: () => isReady,
    },
  );
  await requireOwnPassword(database, config);
  const server = createHttpServer(app);
  const address = await listen(server, config);
  const stopJobs = await startJobs(
    {
      database,
      blobs,
      secrets,
      auditDays: config.AUDIT_DAYS,
      webhookNetworks: config.WEBHOOK_PRIVATE_ADDRESSES,
      mail: { url: config.SMTP_URL, from: config.MAIL_FROM },
      onRefused: (mail, recipients) =>
        log.warn({ mail, recipients }, 'some recipients of a mail were refused'),
    },
    {
      onDone: (kind, count) => log.debug({ kind, count }, 'a job is done'),
      onError: (kind, error, job) => log.error({ kind, job, err: error }, 'a job failed'),
    },
  );
  stopOnSignals(log, async () => {
    isReady = false;
    await Promise.all([stopJobs(), stopBulk(), closeHttpServer(server, grace), executing.close(grace)]);
    await Promise.all([journal.close(), searchIndex.close(), conversions.close()]);
    await database.close();
  });
  isReady = true;
  say(log, invitation(config, address));
}
