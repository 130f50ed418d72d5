import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ReadServer } from '../db/database.ts';
import { extensions } from '../extensions/loaded.ts';
import { type ExtensionMeasures, extensionMeasures } from '../extensions/measures.ts';
import { createMetricHistory, type MetricHistory } from './metric-history.ts';

interface TurnMetrics {
  readonly onWaited: (seconds: number) => void;
  readonly onRefused: () => void;
}

export interface Metrics {
  readonly observe: RequestHandler;
  readonly refused: () => void;
  readonly waited: (seconds: number) => void;
  readonly searches: TurnMetrics;
  readonly archives: TurnMetrics;
  readonly transactions: TurnMetrics;
  readonly largeBodies: TurnMetrics;
  readonly memory: TurnMetrics;
  readonly show: RequestHandler;
  readonly registry: Registry;
  readonly history: MetricHistory;
}

type JobCounts = ReadonlyArray<{ kind: string; state: string; count: number }>;

/** The number of milliseconds for which the job counts are cached, because counting jobs reads the whole queue. */
const jobCountsTtl = 15_000;

/** Functions that return the values of metrics. They are called only when the metrics are read. */
interface Readings {
  readonly statementsOf: (response: Parameters<RequestHandler>[1]) => number;
  readonly jobs: () => Promise<JobCounts>;
  readonly readServers: () => readonly ReadServer[];
  /** The number of password hashes computed since the process started. */
  readonly passwordHashes: () => number;
  /** The number of bytes of MEMORY_BUDGET that requests in progress have reserved. */
  readonly memoryHeld: () => number;
  /**
   * Returns the combined metrics of all worker processes; absent if there is only one process, which reports its own
   * metrics.
   */
  readonly ofAll?: (() => Promise<string>) | undefined;
}

/**
 * Registers metrics about replicas: how reads are distributed, and how far replicas lag behind. Without replicas, these
 * metrics do not exist.
 */
function showReadServers(registry: Registry, servers: Readings['readServers']): void {
  if (servers().length === 0) return;
  const registers = [registry];
  new Counter({
    name: 'database_reads_total',
    help: 'Number of reads served by each database server.',
    labelNames: ['server'],
    registers,
    collect() {
      this.reset();
      for (const { name, reads } of servers()) this.inc({ server: name }, reads);
    },
  });
  new Gauge({
    name: 'database_replica_lag_seconds',
    help: 'Replication lag of a replica; absent while the replica does not respond.',
    labelNames: ['server'],
    registers,
    aggregator: 'max',
    collect() {
      this.reset();
      for (const { name, replica } of servers())
        if (replica?.lag !== undefined) this.set({ server: name }, replica.lag / 1000);
    },
  });
  new Gauge({
    name: 'database_replica_used',
    help: 'Whether a replica is used for reads (1) or not (0).',
    labelNames: ['server'],
    registers,
    aggregator: 'min',
    collect() {
      for (const { name, replica } of servers())
        if (replica) this.set({ server: name }, replica.isUsed ? 1 : 0);
    },
  });
}

function turnMetrics(registry: Registry, one: string, many: string): TurnMetrics {
  const registers = [registry];
  const refused = new Counter({
    name: `${many}_refused_total`,
    help: `${many} rejected because too many others were in progress.`,
    registers,
  });
  const waited = new Histogram({
    name: `${one}_wait_seconds`,
    help: `Time that ${many} waited for others to finish. Those that did not wait are not counted.`,
    buckets: [0.01, 0.1, 0.5, 1, 2, 5, 10, 60],
    registers,
  });
  return { onWaited: (time) => waited.observe(time), onRefused: () => refused.inc() };
}

/**
 * The default metrics of the process. Their observers cannot be removed, so all applications in the process share one
 * registry.
 */
const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess });

/** Shows how often the functions of extensions were called, failed, and blocked the event loop. */
function showExtensions(registers: Registry[]): void {
  if (extensions().length === 0) return;
  const show = (name: string, help: string, reading: (measures: ExtensionMeasures) => number): void => {
    new Counter({
      name,
      help,
      labelNames: ['extension'],
      registers,
      collect() {
        this.reset();
        for (const [extension, measures] of extensionMeasures()) this.inc({ extension }, reading(measures));
      },
    });
  };
  show('extension_calls_total', 'Number of calls of functions of an extension.', ({ calls }) => calls);
  show(
    'extension_failures_total',
    'Number of calls of functions of an extension that ended with an unexpected error.',
    ({ failures }) => failures,
  );
  show(
    'extension_blocked_seconds_total',
    'Time for which functions of an extension blocked all requests before their first await.',
    ({ blocked }) => blocked / 1000,
  );
}

export function createMetrics(readings: Readings): Metrics {
  const registry = Registry.merge([ofProcess]);
  const labelNames = ['method', 'route', 'status'] as const;
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response, by route.',
    labelNames,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const statements = new Histogram({
    name: 'http_request_sql_statements',
    help: 'Number of SQL statements per request, by route.',
    labelNames,
    buckets: [0, 1, 2, 3, 4, 6, 8, 12, 16, 20, 32, 64],
    registers: [registry],
  });
  const refused = new Counter({
    name: 'http_requests_refused_total',
    help: 'Number of requests rejected because the server was overloaded.',
    registers: [registry],
  });
  const waited = new Histogram({
    name: 'http_request_wait_seconds',
    help: 'Time that requests waited for admission. Requests that did not wait are not counted.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2],
    registers: [registry],
  });
  const jobCounts = new LRUCache<'all', JobCounts>({ max: 1, ttl: jobCountsTtl, fetchMethod: readings.jobs });
  new Gauge({
    name: 'jobs',
    help: 'Number of jobs in the database, by kind and state (waiting, running or set-aside).',
    labelNames: ['kind', 'state'],
    registers: [registry],
    aggregator: 'first', // Every process counts all jobs in the database.
    async collect() {
      const counts = await jobCounts.fetch('all');
      this.reset();
      for (const { kind, state, count } of counts ?? []) this.set({ kind, state }, count);
    },
  });
  new Counter({
    name: 'password_hashes_total',
    help: 'Number of password hashes computed, for new passwords and for log-ins.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(readings.passwordHashes());
    },
  });
  new Gauge({
    name: 'request_memory_bytes',
    help: 'Bytes of MEMORY_BUDGET reserved for rows that requests in progress have read.',
    registers: [registry],
    collect() {
      this.set(readings.memoryHeld());
    },
  });
  showReadServers(registry, readings.readServers);
  showExtensions([registry]);
  const text = (): Promise<string> => readings.ofAll?.() ?? registry.metrics();
  return {
    registry,
    history: createMetricHistory(text),
    searches: turnMetrics(registry, 'search', 'searches'),
    archives: turnMetrics(registry, 'archive', 'archives'),
    transactions: turnMetrics(registry, 'transaction', 'transactions'),
    largeBodies: turnMetrics(registry, 'large_body', 'large_bodies'),
    memory: turnMetrics(registry, 'memory', 'requests_for_memory'),
    waited: (time) => waited.observe(time),
    refused: () => refused.inc(),
    observe: (request, response, next) => {
      const end = seconds.startTimer();
      response.once('close', () => {
        // The label is the path of the route. Labels with actual paths would create a time series for each document.
        const route = request.route ? String(request.route.path) : 'none';
        const labels = { method: request.method, route, status: response.statusCode };
        end(labels);
        statements.observe(labels, readings.statementsOf(response));
      });
      next();
    },
    show: async (_, response) => {
      response.set('Content-Type', registry.contentType).send(await text());
    },
  };
}
