import type { RequestHandler } from 'express';
import { LRUCache } from 'lru-cache';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ReadServer } from '../db/database.ts';
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

/** Milliseconds for which the numbers of jobs are cached, because counting them reads the whole queue. */
const jobCountsTtl = 15_000;

/** The sources of values that are read whenever the metrics are. */
interface Readings {
  readonly statementsOf: (response: Parameters<RequestHandler>[1]) => number;
  readonly jobs: () => Promise<JobCounts>;
  readonly readServers: () => readonly ReadServer[];
  /** The number of password hashes computed since the process started. */
  readonly passwordHashes: () => number;
  /** Bytes of MEMORY_BUDGET that requests in progress have reserved. */
  readonly memoryHeld: () => number;
  /** The metrics of all worker processes together; absent in a single process, which shows its own. */
  readonly ofAll?: (() => Promise<string>) | undefined;
}

/** Registers metrics about the distribution of reads and the lag of replicas. Without replicas it registers none. */
function showReadServers(registry: Registry, servers: Readings['readServers']): void {
  if (servers().length === 0) return;
  const registers = [registry];
  new Counter({
    name: 'database_reads_total',
    help: 'Reads of requests that each database server has answered.',
    labelNames: ['server'],
    registers,
    collect() {
      this.reset();
      for (const { name, reads } of servers()) this.inc({ server: name }, reads);
    },
  });
  new Gauge({
    name: 'database_replica_lag_seconds',
    help: 'Time by which a replica is behind; absent while it does not answer.',
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
    help: 'Whether reads go to a replica: 0 while it is left out.',
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
    help: `${many} refused because too many others were under way.`,
    registers,
  });
  const waited = new Histogram({
    name: `${one}_wait_seconds`,
    help: `Time that ${many} waited for others of the same user, or for all; those that did not wait are not counted.`,
    buckets: [0.01, 0.1, 0.5, 1, 2, 5, 10, 60],
    registers,
  });
  return { onWaited: (time) => waited.observe(time), onRefused: () => refused.inc() };
}

/** The default metrics of the process. Their observers can never be removed, so all applications share one registry. */
const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess });

export function createMetrics(readings: Readings): Metrics {
  const registry = Registry.merge([ofProcess]);
  const labelNames = ['method', 'route', 'status'] as const;
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer, by route.',
    labelNames,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const statements = new Histogram({
    name: 'http_request_sql_statements',
    help: 'SQL statements that a request caused, by route.',
    labelNames,
    buckets: [0, 1, 2, 3, 4, 6, 8, 12, 16, 20, 32, 64],
    registers: [registry],
  });
  const refused = new Counter({
    name: 'http_requests_refused_total',
    help: 'Requests refused because the server was overloaded.',
    registers: [registry],
  });
  const waited = new Histogram({
    name: 'http_request_wait_seconds',
    help: 'Time that requests waited for admission; requests that did not wait are not counted.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2],
    registers: [registry],
  });
  const jobCounts = new LRUCache<'all', JobCounts>({ max: 1, ttl: jobCountsTtl, fetchMethod: readings.jobs });
  new Gauge({
    name: 'jobs',
    help: 'Jobs in the database, by kind and state: waiting, running or set-aside.',
    labelNames: ['kind', 'state'],
    registers: [registry],
    aggregator: 'first', // every process counts all jobs of the database
    async collect() {
      const counts = await jobCounts.fetch('all');
      this.reset();
      for (const { kind, state, count } of counts ?? []) this.set({ kind, state }, count);
    },
  });
  new Counter({
    name: 'password_hashes_total',
    help: 'Password hashes computed, for new passwords and to verify those of log-ins.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(readings.passwordHashes());
    },
  });
  new Gauge({
    name: 'request_memory_bytes',
    help: 'Bytes of MEMORY_BUDGET that requests hold for rows that they have read and not answered yet.',
    registers: [registry],
    collect() {
      this.set(readings.memoryHeld());
    },
  });
  showReadServers(registry, readings.readServers);
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
        // The path of the route, since actual paths would create a label for each document.
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
