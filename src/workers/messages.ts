import type { AddressInfo } from 'node:net';
import type { MetricObjectWithValues, MetricValue } from 'prom-client';

/** The metrics of one process, as its registry writes them. */
export type OwnMetrics = Array<MetricObjectWithValues<MetricValue<string>>>;

export type FromWorker =
  | { readonly type: 'ready'; readonly address: AddressInfo }
  | { readonly type: 'own-metrics'; readonly id: number; readonly metrics: OwnMetrics | undefined }
  | { readonly type: 'ask-metrics' };

export type ToWorker =
  | { readonly type: 'drain' }
  | { readonly type: 'stop' }
  | { readonly type: 'retire' }
  | { readonly type: 'ask-own-metrics'; readonly id: number }
  | { readonly type: 'metrics'; readonly text: string | undefined };
