import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import {
  askToDisconnect,
  closeHttpServer,
  createHttpServer,
  drainHttpServer,
  listen,
} from '../http/http-server.ts';
import { createLogger } from '../log.ts';
import { prepareApp } from '../prepare-app.ts';
import { endingProcess, grace } from './stopping.ts';
import { metricsOfAll, onEnding, sayReady, tellMetrics } from './worker.ts';

/** Milliseconds that clients have to send their last request on a connection. */
const linger = 2_000;

/** Serves beside other workers, on the port that they share, until the first process or a signal ends it. */
export async function runWorker(config: Config, database: Database): Promise<void> {
  const log = createLogger(config.LOG_LEVEL);
  let isReady = false;
  const prepared = await prepareApp(config, database, { log, isReady: () => isReady, metricsOfAll });
  const { app, journal, searchIndex, converting, traces, stopCallersJobs } = prepared;
  const server = createHttpServer(app);
  const address = await listen(server, config);
  // One that is replaced stays ready: another one serves the port already.
  const drain = (): void => {
    isReady = false;
    askToDisconnect(server);
  };
  const closeServer = async (): Promise<void> => {
    await drainHttpServer(server, linger);
    await closeHttpServer(server, grace - linger);
  };
  const end = endingProcess(log, async () => {
    setTimeout(() => void converting.close(), grace); // with the executions that wait for it
    await Promise.all([closeServer(), stopCallersJobs(grace)]);
    await Promise.all([journal.close(), searchIndex.close(), converting.close(), traces?.close()]);
    await database.close();
  });
  onEnding({ drain, stop: () => end('stop') });
  process.on('SIGTERM', end);
  // Ctrl+C reaches all processes of the terminal: the first one ends the others.
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {});
  tellMetrics(app.metrics);
  app.metricHistory.begin();
  isReady = true;
  sayReady(address);
}
