import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import { sayTo } from './crew.ts';
import type { FromWorker, OwnMetrics } from './messages.ts';

/** A worker that does not answer in so many milliseconds is left out. */
const patience = 2_000;

/**
 * Answers each worker that asks with the metrics of all that serve, added up. `clusterMetrics` of prom-client
 * waits for workers that are only starting, and then fails.
 */
export function shareMetrics(ready: ReadonlySet<Worker>): void {
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

  const collect = async (): Promise<string> => {
    const all = await Promise.all([...ready].map(ownOf));
    return AggregatorRegistry.aggregate(all.filter((metrics) => metrics !== undefined)).metrics();
  };

  let collecting: Promise<string> | undefined;
  cluster.on('message', (worker, message: FromWorker) => {
    if (message.type !== 'ask-metrics') return;
    collecting ??= collect().finally(() => {
      collecting = undefined;
    });
    void collecting.then((text) => sayTo(worker, { type: 'metrics', text }));
  });
}
