import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { AggregatorRegistry } from 'prom-client';
import type { Config } from '../config.ts';
import { connectionsOfWorker } from '../db/connections.ts';
import type { FromWorker, OwnMetrics } from './messages.ts';
import { replacedKill } from './stop-times.ts';
import type { Front } from './stopping.ts';
import { createWorkerPool, sendTo } from './worker-pool.ts';

/** The number of milliseconds within which a worker must respond. */
const answerTimeout = 2_000;

/**
 * Responds to workers that ask for metrics with the sum of the metrics of all ready workers. If a worker does not
 * respond, no metrics are returned: incomplete sums would drop and rise again, and monitoring would interpret the rise
 * as traffic. `clusterMetrics` of prom-client is not used because it also waits for workers that are still starting.
 */
function shareMetrics(ready: ReadonlySet<Worker>): void {
  let count = 0;

  const ownOf = (worker: Worker): Promise<OwnMetrics | undefined> =>
    new Promise((resolve) => {
      count += 1;
      const id = count;
      const settle = (metrics?: OwnMetrics): void => {
        clearTimeout(timer);
        worker.off('message', onMessage);
        resolve(metrics);
      };
      const onMessage = (message: FromWorker): void => {
        if (message.type === 'own-metrics' && message.id === id) settle(message.metrics);
      };
      const timer = setTimeout(settle, answerTimeout);
      worker.on('message', onMessage);
      sendTo(worker, { type: 'ask-own-metrics', id });
    });

  const collect = async (): Promise<string | undefined> => {
    const requested = [...ready];
    const all = await Promise.all(requested.map(ownOf));
    if (requested.some((worker, index) => ready.has(worker) && !all[index])) return undefined;
    return AggregatorRegistry.aggregate(all.filter((metrics) => metrics !== undefined)).metrics();
  };

  let collecting: Promise<string | undefined> | undefined;
  cluster.on('message', (worker, message: FromWorker) => {
    if (message.type !== 'ask-metrics') return;
    collecting ??= collect().finally(() => {
      collecting = undefined;
    });
    void collecting.then((text) => sendTo(worker, { type: 'metrics', text }));
  });
}

/**
 * The minimum semi-space size in megabytes, which is Node's default. With a smaller one, responses with many documents
 * take more CPU time.
 */
const minYoungSpace = 16;

/** The Node options of a worker. `--max-semi-space-size` of this process is divided among the workers. */
const optionsOfWorker = ({ WORKERS }: Pick<Config, 'WORKERS'>): string[] =>
  process.execArgv.map((option) =>
    option.replace(/^(--max-semi-space-size=)(\d+)$/, (_, name: string, all: string) => {
      const share = Math.floor(Number(all) / WORKERS);
      return `${name}${Math.max(share, Math.min(minYoungSpace, Number(all)))}`;
    }),
  );

/**
 * Starts the workers, which share one port, and replaces them one by one on SIGUSR2.
 * @param url the URL of the database, possibly of the embedded one that this process has started.
 * @throws Error if the first worker cannot start. The worker itself has logged the reason.
 */
export async function startWorkers(config: Config, url: string, log: Logger): Promise<Front> {
  const env = { DATABASE_URL: url, DATABASE_CONNECTIONS: String(connectionsOfWorker(config)) };
  const times = { maxFinishing: config.WORKERS, replacedKill: replacedKill(config) };
  const pool = createWorkerPool({ env, ...times }, log);
  cluster.setupPrimary({ execArgv: optionsOfWorker(config) });
  shareMetrics(pool.ready);
  const address = await pool.start(config.WORKERS);
  const replace = async (): Promise<void> => {
    try {
      await pool.replaceAll();
    } catch (error) {
      log.error({ err: error }, 'A new worker cannot start; the old workers continue to serve.');
    }
  };
  const oneAfterTheOther = pLimit(1);
  process.on('SIGUSR2', () => {
    // If a replacement is already queued, it reads the program's files only when it starts, so it also serves this
    // signal.
    if (oneAfterTheOther.pendingCount === 0) void oneAfterTheOther(replace);
  });
  return { address, drain: pool.drain, close: pool.close };
}
