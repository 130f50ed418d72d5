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

/** Where the first process has died, this one ends too. */
const say = (message: FromWorker): void => void process.send?.(message, undefined, undefined, () => {});

const onMessage = (heard: (message: ToWorker) => void): void => void process.on('message', heard);

/** Milliseconds after which the first process counts as silent. */
const patience = 5_000;

/** Tells the first process where this worker listens, and that it serves. */
const sayReady = (address: Extract<FromWorker, { type: 'ready' }>['address']): void =>
  say({ type: 'ready', address });

interface Endings {
  /** Load balancers are to be sent elsewhere. */
  readonly drain: () => void;
  readonly stop: () => void;
  /** Another worker serves in the place of this one, which finishes what it has. */
  readonly retire: () => void;
}

const onEnding = (callbacks: Endings): void =>
  onMessage(({ type }) => {
    if (type === 'drain' || type === 'stop' || type === 'retire') callbacks[type]();
  });

/** Tells the first process the metrics of this worker whenever it asks. */
const tellMetrics = (registry: Registry): void =>
  onMessage((message) => {
    if (message.type !== 'ask-own-metrics') return;
    const tell = (metrics?: OwnMetrics) => say({ type: 'own-metrics', id: message.id, metrics });
    // While the database is away, the gauges that ask it fail, and with them all metrics of this worker.
    registry.getMetricsAsJSON().then(tell, () => tell());
  });

/** The metrics of all workers, as text. @throws Unavailable when a process is silent. */
const metricsOfAll = (): Promise<string> =>
  new Promise((resolve, reject) => {
    // It stays until the answer comes: Node emits messages that arrive together without a pause.
    const heard = (message: ToWorker): void => {
      if (message.type !== 'metrics') return;
      const { text } = message;
      settle(() => (text === undefined ? fail('a worker does not tell its metrics') : resolve(text)));
    };
    const fail = (message: string): void => reject(new Unavailable(message));
    const late = (): void => settle(() => fail('the first process is silent'));
    const timer = setTimeout(late, patience);
    const settle = (end: () => void): void => {
      clearTimeout(timer);
      process.off('message', heard);
      end();
    };
    process.on('message', heard);
    say({ type: 'ask-metrics' });
  });

/** Serves beside other workers, on the port that they share, until the first process or a signal ends it. */
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
  // It stays ready while it is asked: another one may serve the port already.
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
  const retire = async (): Promise<void> => {
    const time = replacedWorkEnd(config);
    await Promise.all([closeServer(time), stopCallersJobs(time)]);
    stop('replaced');
  };
  onEnding({ drain, stop: () => stop('stop'), retire: () => void retire() });
  process.on('SIGTERM', end);
  // Ctrl+C reaches all processes of the terminal: the first one ends the others.
  for (const signal of ['SIGINT', 'SIGHUP', 'SIGUSR2'] as const) process.on(signal, () => {});
  tellMetrics(metrics.registry);
  metrics.history.begin();
  isReady = true;
  sayReady(address);
}
