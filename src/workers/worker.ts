import { once } from 'node:events';
import type { Registry } from 'prom-client';
import type { FromWorker, ToWorker } from './messages.ts';

/** Where the first process has died, this one ends too. */
const say = (message: FromWorker): void => void process.send?.(message, undefined, undefined, () => {});

const onMessage = (heard: (message: ToWorker) => void): void => void process.on('message', heard);

/** Milliseconds after which the first process counts as silent. */
const patience = 5_000;

/** Tells the first process where this worker listens, and that it serves. */
export const sayReady = (address: Extract<FromWorker, { type: 'ready' }>['address']): void =>
  say({ type: 'ready', address });

/** Calls back when this worker is to send load balancers elsewhere, and when it is to end. */
export const onEnding = (callbacks: { readonly drain: () => void; readonly stop: () => void }): void =>
  onMessage(({ type }) => {
    if (type === 'drain' || type === 'stop') callbacks[type]();
  });

/** Tells the first process the metrics of this worker whenever it asks. */
export const tellMetrics = (registry: Registry): void =>
  onMessage((message) => {
    if (message.type !== 'ask-own-metrics') return;
    const tell = (metrics: Awaited<ReturnType<Registry['getMetricsAsJSON']>>) =>
      say({ type: 'own-metrics', id: message.id, metrics });
    // The gauges that ask the database are missing while it is away.
    registry.getMetricsAsJSON().then(tell, () => tell([]));
  });

/** The metrics of all workers, as text. @throws when the first process is silent. */
export async function metricsOfAll(): Promise<string> {
  const signal = AbortSignal.timeout(patience);
  say({ type: 'ask-metrics' });
  for (;;) {
    const [message] = (await once(process, 'message', { signal })) as [ToWorker];
    if (message.type === 'metrics') return message.text;
  }
}
