import type { MetricSample } from '../services.ts';

const minute = 60_000;

/** Samples that are kept: an hour. */
const most = 60;

type Values = Readonly<Record<string, number>>;

/** The sums of what is drawn, from the text that Prometheus reads. */
function sumsOf(text: string): Values {
  const sums: Record<string, number> = {};
  const add = (name: string, value: string): void => {
    sums[name] = (sums[name] ?? 0) + Number(value);
  };
  for (const [, name = '', labels = '', value = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)/gm)) {
    add(name, value);
    if (name === 'http_request_duration_seconds_count' && /status="5/.test(labels)) add('failed', value);
    if (name === 'jobs') add(`jobs ${/state="([^"]*)"/.exec(labels)?.[1]}`, value);
  }
  return sums;
}

const names = {
  requests: 'http_request_duration_seconds_count',
  seconds: 'http_request_duration_seconds_sum',
  failures: 'failed',
  refused: 'http_requests_refused_total',
  cpu: 'process_cpu_seconds_total',
  memory: 'process_resident_memory_bytes',
  lag: 'nodejs_eventloop_lag_p99_seconds',
} as const;

/** What happened between two readings; a process that was replaced may make sums smaller. */
function sampleOf(before: Values, now: Values): MetricSample {
  const grown = (name: string): number => Math.max(0, (now[name] ?? 0) - (before[name] ?? 0));
  const requests = grown(names.requests);
  return {
    at: new Date(),
    requests,
    failures: grown(names.failures),
    refused: grown(names.refused),
    meanMilliseconds: requests === 0 ? 0 : (grown(names.seconds) / requests) * 1000,
    cpuSeconds: grown(names.cpu),
    memoryBytes: now[names.memory] ?? 0,
    lagMilliseconds: (now[names.lag] ?? 0) * 1000,
    waitingJobs: now['jobs waiting'] ?? 0,
    failedJobs: now['jobs set-aside'] ?? 0,
  };
}

export interface MetricHistory {
  /** Of the last hour, the oldest first. */
  readonly samples: () => readonly MetricSample[];
  /** Reads the metrics, and keeps what has changed since the reading before. */
  readonly take: () => Promise<void>;
  /** Takes a sample each minute; ends with the process, or by what it returns. */
  readonly begin: () => () => void;
}

/** Keeps the last hour of the metrics in memory. @param read what `/metrics` answers */
export function createMetricHistory(read: () => Promise<string>): MetricHistory {
  let before: Values | undefined;
  let kept: readonly MetricSample[] = [];
  const take = async (): Promise<void> => {
    const now = sumsOf(await read());
    if (before) kept = [...kept, sampleOf(before, now)].slice(-most);
    before = now;
  };
  return {
    samples: () => kept,
    take,
    begin: () => {
      // A database that is away has no sample: the next one tells of the time since.
      const timer = setInterval(() => void take().catch(() => {}), minute).unref();
      return () => clearInterval(timer);
    },
  };
}
