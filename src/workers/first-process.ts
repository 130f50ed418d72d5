import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import pLimit from 'p-limit';
import type { Logger } from 'pino';
import { AggregatorRegistry } from 'prom-client';
import type { Config } from '../config.ts';
import { connectionsOfWorker } from '../db/connections.ts';
import { createCrew, sayTo } from './crew.ts';
import type { FromWorker, OwnMetrics } from './messages.ts';
import { replacedKill } from './stop-times.ts';
import type { Front } from './stopping.ts';

/** Milliseconds that a worker has to answer. */
const patience = 2_000;

/**
 * Answers each worker that asks with the metrics of all that serve, added up, or with none when one of them
 * tells none: sums that fall and rise again would be traffic that never was. `clusterMetrics` of prom-client
 * waits for workers that are only starting.
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
      const timer = setTimeout(settle, patience);
      worker.on('message', onMessage);
      sayTo(worker, { type: 'ask-own-metrics', id });
    });

  const collect = async (): Promise<string | undefined> => {
    const asked = [...ready];
    const all = await Promise.all(asked.map(ownOf));
    if (asked.some((worker, index) => ready.has(worker) && !all[index])) return undefined;
    return AggregatorRegistry.aggregate(all.filter((metrics) => metrics !== undefined)).metrics();
  };

  let collecting: Promise<string | undefined> | undefined;
  cluster.on('message', (worker, message: FromWorker) => {
    if (message.type !== 'ask-metrics') return;
    collecting ??= collect().finally(() => {
      collecting = undefined;
    });
    void collecting.then((text) => sayTo(worker, { type: 'metrics', text }));
  });
}

/** Megabytes for young objects below which answers with many documents cost more CPU; Node's own bound. */
const leastYoungSpace = 16;

/** Node's options of a worker: the space for young objects is shared out. */
const optionsOfWorker = ({ WORKERS }: Pick<Config, 'WORKERS'>): string[] =>
  process.execArgv.map((option) =>
    option.replace(/^(--max-semi-space-size=)(\d+)$/, (_, name: string, all: string) => {
      const share = Math.floor(Number(all) / WORKERS);
      return `${name}${Math.max(share, Math.min(leastYoungSpace, Number(all)))}`;
    }),
  );

/**
 * Starts the workers, which share one port, and replaces them one by one at SIGUSR2.
 * @param url of the database, which may be the embedded one of this process.
 * @throws when the first one cannot start; it has said why.
 */
export async function startWorkers(config: Config, url: string, log: Logger): Promise<Front> {
  const env = { DATABASE_URL: url, DATABASE_CONNECTIONS: String(connectionsOfWorker(config)) };
  const times = { mostReplaced: config.WORKERS, replacedKill: replacedKill(config) };
  const crew = createCrew({ env, ...times }, log);
  cluster.setupPrimary({ execArgv: optionsOfWorker(config) });
  shareMetrics(crew.ready);
  const address = await crew.start(config.WORKERS);
  const replace = async (): Promise<void> => {
    try {
      await crew.replaceAll();
    } catch (error) {
      log.error({ err: error }, 'a new worker cannot start: the old ones go on serving');
    }
  };
  const oneAfterTheOther = pLimit(1);
  process.on('SIGUSR2', () => {
    // One that waits replaces all by what is on the disk then.
    if (oneAfterTheOther.pendingCount === 0) void oneAfterTheOther(replace);
  });
  return { address, drain: crew.drain, close: crew.close };
}
