import type { Registry } from 'prom-client';
import { Unavailable } from '../errors.ts';
import type { FromWorker, OwnMetrics, ToWorker } from './messages.ts';

/** Where the first process has died, this one ends too. */
const say = (message: FromWorker): void => void process.send?.(message, undefined, undefined, () => {});

const onMessage = (heard: (message: ToWorker) => void): void => void process.on('message', heard);

/** Milliseconds after which the first process counts as silent. */
const patience = 5_000;

/** Tells the first process where this worker listens, and that it serves. */
export const sayReady = (address: Extract<FromWorker, { type: 'ready' }>['address']): void =>
  say({ type: 'ready', address });

interface Endings {
  /** Load balancers are to be sent elsewhere. */
  readonly drain: () => void;
  readonly stop: () => void;
  /** Another worker serves in the place of this one, which finishes what it has. */
  readonly retire: () => void;
}

export const onEnding = (callbacks: Endings): void =>
  onMessage(({ type }) => {
    if (type === 'drain' || type === 'stop' || type === 'retire') callbacks[type]();
  });

/** Tells the first process the metrics of this worker whenever it asks. */
export const tellMetrics = (registry: Registry): void =>
  onMessage((message) => {
    if (message.type !== 'ask-own-metrics') return;
    const tell = (metrics?: OwnMetrics) => say({ type: 'own-metrics', id: message.id, metrics });
    // While the database is away, the gauges that ask it fail, and with them all metrics of this worker.
    registry.getMetricsAsJSON().then(tell, () => tell());
  });

/** The metrics of all workers, as text. @throws Unavailable when a process is silent. */
export const metricsOfAll = (): Promise<string> =>
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
