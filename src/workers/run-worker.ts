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
import { lastRequest, replacedWorkEnd, workEnd } from './stop-times.ts';
import { endingProcess } from './stopping.ts';
import { metricsOfAll, onEnding, sayReady, tellMetrics } from './worker.ts';

/** Serves beside other workers, on the port that they share, until the first process or a signal ends it. */
export async function runWorker(config: Config, database: Database): Promise<void> {
  const log = createLogger(config.LOG_LEVEL);
  let isReady = false;
  const prepared = await prepareApp(config, database, { log, isReady: () => isReady, metricsOfAll });
  const { app, stopCallersJobs } = prepared;
  const server = createHttpServer(app);
  const address = await listen(server, config);
  const drain = (): void => {
    isReady = false;
    askToDisconnect(server);
  };
  // It stays ready while it is asked: another one may serve the port already.
  const closeServer = async (end: number): Promise<void> => {
    await drainHttpServer(server, lastRequest);
    isReady = false; // ends subscriptions
    await closeHttpServer(server, end - lastRequest);
  };
  let isStopping = false;
  const end = endingProcess(log, async () => {
    isStopping = true;
    await prepared.close([closeServer(workEnd)], workEnd);
    await database.close();
  });
  const stop = (reason: string): void => {
    if (!isStopping) end(reason);
  };
  const retire = async (): Promise<void> => {
    const time = replacedWorkEnd(config);
    await Promise.all([closeServer(time), stopCallersJobs(time)]);
    stop('replaced');
  };
  onEnding({ drain, stop: () => stop('stop'), retire: () => void retire() });
  process.on('SIGTERM', end);
  // Ctrl+C reaches all processes of the terminal: the first one ends the others.
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {});
  tellMetrics(app.metrics);
  app.metricHistory.begin();
  isReady = true;
  sayReady(address);
}
