import type { AddressInfo } from 'node:net';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** The metrics of one process, as returned by `getMetricsAsJSON` of its registry. */
export type OwnMetrics = Array<MetricObjectWithValues<MetricValue<string>>>;

/** A message from a worker to the first process. */
export type FromWorker =
  | { readonly type: 'ready'; readonly address: AddressInfo }
  | { readonly type: 'own-metrics'; readonly id: number; readonly metrics: OwnMetrics | undefined }
  | { readonly type: 'ask-metrics' };

/** A message from the first process to a worker. */
export type ToWorker =
  | { readonly type: 'drain' }
  | { readonly type: 'stop' }
  | { readonly type: 'finish' }
  | { readonly type: 'ask-own-metrics'; readonly id: number }
  | { readonly type: 'metrics'; readonly text: string | undefined };
