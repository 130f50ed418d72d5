import cluster, { type Worker } from 'node:cluster';
import { AggregatorRegistry } from 'prom-client';
import { sayTo } from './crew.ts';
import type { FromWorker, OwnMetrics } from './messages.ts';

/** Milliseconds that a worker has to answer. */
const patience = 2_000;

/**
 * Answers each worker that asks with the metrics of all that serve, added up, or with none when one of them
 * tells none: sums that fall and rise again would be traffic that never was. `clusterMetrics` of prom-client
 * waits for workers that are only starting.
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
