import type { Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { Database } from '../db/database.ts';
import { Unavailable } from '../errors.ts';
import {
  askToDisconnect,
  closeHttpServer,
  createHttpServer,
  drainHttpServer,
  listen,
} from '../http/http-server.ts';
import { createLogger } from '../log.ts';
import { openServices } from '../open-services.ts';
import type { FromWorker, OwnMetrics, ToWorker } from './messages.ts';
import { lastRequest, replacedWorkEnd, workEnd } from './stop-times.ts';
import { endingProcess } from './stopping.ts';

/**
 * Sends a message to the first process. Errors are ignored: if the first process has died, this worker exits as well.
 */
const send = (message: FromWorker): void => void process.send?.(message, undefined, undefined, () => {});

const onMessage = (listener: (message: ToWorker) => void): void => void process.on('message', listener);

/** The number of milliseconds within which the first process must respond. */
const answerTimeout = 5_000;

/** Tells the first process that this worker is ready, and which address it listens on. */
const sendReady = (address: Extract<FromWorker, { type: 'ready' }>['address']): void =>
  send({ type: 'ready', address });

interface EndingCallbacks {
  /** Makes `/health/ready` respond with 503, so that load balancers send new requests elsewhere. */
  readonly drain: () => void;
  readonly stop: () => void;
  /** Finishes running requests and exits, after another worker has replaced this one. */
  readonly finish: () => void;
}

const onEnding = (callbacks: EndingCallbacks): void =>
  onMessage(({ type }) => {
    if (type === 'drain' || type === 'stop' || type === 'finish') callbacks[type]();
  });

/** Sends the metrics of this worker to the first process on request. */
const answerWithMetrics = (registry: Registry): void =>
  onMessage((message) => {
    if (message.type !== 'ask-own-metrics') return;
    const answer = (metrics?: OwnMetrics) => send({ type: 'own-metrics', id: message.id, metrics });
    // Collecting gauges that query the database fails while it is unavailable. In that case, the worker responds
    // without metrics.
    registry.getMetricsAsJSON().then(answer, () => answer());
  });

/** Resolves to the metrics of all workers, as text. @throws Unavailable if a process does not respond. */
const metricsOfAll = (): Promise<string> =>
  new Promise((resolve, reject) => {
    // The listener stays until its response arrives. Node emits messages that arrive together synchronously, so a
    // listener that is added again after each message would miss some of them.
    const listener = (message: ToWorker): void => {
      if (message.type !== 'metrics') return;
      const { text } = message;
      settle(() => (text === undefined ? fail('A worker did not send its metrics.') : resolve(text)));
    };
    const fail = (message: string): void => reject(new Unavailable(message));
    const late = (): void => settle(() => fail('The first process did not respond.'));
    const timer = setTimeout(late, answerTimeout);
    const settle = (end: () => void): void => {
      clearTimeout(timer);
      process.off('message', listener);
      end();
    };
    process.on('message', listener);
    send({ type: 'ask-metrics' });
  });

/** Runs a worker, which serves on the port that all workers share, until the first process or a signal stops it. */
export async function runWorker(config: Config, database: Database): Promise<void> {
  const log = createLogger(config.LOG_LEVEL);
  let isReady = false;
  const opened = await openServices(config, database, { log, isReady: () => isReady, metricsOfAll });
  const { app, metrics, stopCallersJobs } = opened;
  const server = createHttpServer(app);
  const address = await listen(server, config);
  const drain = (): void => {
    isReady = false;
    askToDisconnect(server);
  };
  // `/health/ready` continues to respond with 200 while clients finish, because other workers already serve the same
  // port.
  const closeServer = async (end: number): Promise<void> => {
    await drainHttpServer(server, lastRequest);
    isReady = false; // ends subscriptions
    await closeHttpServer(server, end - lastRequest);
  };
  let isStopping = false;
  const end = endingProcess(log, async () => {
    isStopping = true;
    await opened.close([closeServer(workEnd)], workEnd);
    await database.close();
  });
  const stop = (reason: string): void => {
    if (!isStopping) end(reason);
  };
  const finish = async (): Promise<void> => {
    const time = replacedWorkEnd(config);
    await Promise.all([closeServer(time), stopCallersJobs(time)]);
    stop('replaced');
  };
  onEnding({ drain, stop: () => stop('stop'), finish: () => void finish() });
  process.on('SIGTERM', end);
  // Ctrl+C sends SIGINT to all processes of the terminal. The first process stops the workers.
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {});
  answerWithMetrics(metrics.registry);
  metrics.history.begin();
  isReady = true;
  sendReady(address);
}
